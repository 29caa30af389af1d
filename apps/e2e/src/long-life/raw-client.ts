import type { Channel } from "@turnkit/transport";
import { hellos } from "../hostile/hostile-frames.js";
import type { Cell, Life } from "./cell.js";

type Frame = { readonly [key: string]: any };

const withSubagents = { ...hellos.v1, clientCapabilities: { subagents: {} } };
const place = { cwd: "/work", mcpServers: [] };

/**
 * A client of raw frames that remembers nothing. An unruly one:
 *
 * - never answers a request, but answers requests that it did not get, with results that do not fit;
 * - repeats the id of an open prompt;
 * - calls sessions, tool calls and terminals that do not exist.
 */
export async function rawClient(channel: Channel, { dialect, manner }: Cell): Promise<Life> {
  const send = (frame: object): void => void channel.send({ jsonrpc: "2.0", ...frame } as never);
  let answered: (frame: Frame) => void = () => undefined;
  let ended: () => void = () => undefined;
  let asked = 0;
  let sessionId = "";

  function answer({ id, method }: Frame): void {
    asked += 1;
    if (manner !== "unruly") {
      const result = { outcome: { outcome: "selected", optionId: "allow_once" } };
      send({ id, result: method === "elicitation/create" ? { action: "accept", content: {} } : result });
    } else if (asked % 2 === 0) {
      send({ id, result: method === "elicitation/create" ? { action: "accept" } : { outcome: 7 } });
    }
  }

  function receive(frame: Frame): void {
    if (frame.method !== undefined && frame.id !== undefined) answer(frame);
    else if (frame.method === "session/update") {
      const { sessionUpdate, state } = frame.params.update;
      if (sessionUpdate === "state_update" && state === "idle" && frame.params.sessionId === sessionId) ended();
    } else if (frame.id === "call") answered(frame);
  }

  const call = (method: string, params: object): Promise<Frame> =>
    new Promise((resolve) => {
      answered = resolve;
      send({ id: "call", method, params });
    });

  channel.start({ message: (message) => receive(message as Frame), invalidLine: () => undefined });
  await call("initialize", dialect === "v1" && manner === "family" ? withSubagents : hellos[dialect]);
  const { result } = await call("session/new", place);
  sessionId = result.sessionId;

  function misbehave(turn: number): void {
    send({ id: `nobody-${turn}`, result: {} });
    send({ id: "call", method: "session/prompt", params: { sessionId, prompt: [] } });
    send({ id: `lost-${turn}`, method: "session/prompt", params: { sessionId: `none-${turn}`, prompt: [] } });
    send({ method: "session/cancel", params: { sessionId: `none-${turn}` } });
    send({ method: "$/cancel_request", params: { requestId: `none-${turn}` } });
    send({ id: `tool-${turn}`, method: "tool_call/cancel", params: { sessionId, toolCallId: `none-${turn}` } });
    send({ id: `terminal-${turn}`, method: "terminal/cancel", params: { sessionId, terminalId: `none-${turn}` } });
    send({ id: `odd-${turn}`, method: `_none/${turn}`, params: {} });
  }

  return {
    async prompt(turn) {
      const idle = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const over = call("session/prompt", { sessionId, prompt: [{ type: "text", text: `Prompt ${turn}` }] });
      if (manner === "unruly") misbehave(turn);
      await over;
      if (dialect === "v2") await idle;
    },
    close: async () => void (await channel.close()),
  };
}
