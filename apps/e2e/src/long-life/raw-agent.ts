import type { Channel } from "@turnkit/transport";
import type { Cell } from "./cell.js";

type Frame = { readonly [key: string]: any };

const info = { name: "raw", version: "1" };
const hellos = {
  v1: { protocolVersion: 1, agentCapabilities: {}, agentInfo: info },
  v2: { protocolVersion: 2, info, capabilities: { session: { prompt: {}, mcp: { stdio: {} } } } },
  seed: { protocolVersion: 2, agentInfo: info, capabilities: { session: { prompt: {} } } },
};
const select = (currentValue: string) => ({
  ...{ id: "pace", configId: "pace", name: "Pace", type: "select", currentValue },
  options: [{ value: "slow", name: "Slow" }],
});
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
const text = (said: string) => ({ type: "text", text: said });
const sessionId = "s-1";

/**
 * An agent of raw frames that remembers nothing but the turn. An unruly one:
 *
 * - never echoes a prompt, and never ends a tool call;
 * - leaves requests open that get no answer, and uses one id twice;
 * - changes tool calls and terminals that do not exist, in sessions that were never opened;
 * - answers requests that it did not get.
 *
 * A family announces a child session in every turn, and a child session of it, which asks. Nothing tells that they are over.
 */
export function rawAgent(channel: Channel, { dialect, manner }: Cell): void {
  let turns = 0;
  let open: (() => void) | undefined;
  const send = (frame: object): void => void channel.send({ jsonrpc: "2.0", ...frame } as never);
  const update = (sessionUpdate: string, rest: object, to = sessionId): void =>
    send({ method: "session/update", params: { sessionId: to, update: { sessionUpdate, ...rest } } });
  const ask = (id: string, toolCallId: string, title: string, of = sessionId): void => {
    const about =
      dialect === "v2"
        ? { title, subject: { type: "tool_call", toolCall: { toolCallId, title } } }
        : { toolCall: { toolCallId, title } };
    send({ id, method: "session/request_permission", params: { sessionId: of, ...about, options } });
  };
  const showCall = (toolCallId: string, of = sessionId): void =>
    update(
      dialect === "v1" ? "tool_call" : "tool_call_update",
      { toolCallId, title: "Look", kind: "read", status: "pending" },
      of,
    );
  const report = (child: string, parent: string, state: object): void => {
    update("subagent_update", { sessionId: child, title: "Kid", state }, parent);
    if (dialect === "v2") update("state_update", state, child);
  };

  function begin(prompt: Frame, turn: number): void {
    if (dialect === "v2") {
      send({ id: prompt.id, result: { messageId: `u-${turn}` } });
      if (manner === "obedient") update("user_message", { messageId: `u-${turn}`, content: prompt.params.prompt });
      update("state_update", { state: "running" });
    }
    const [kid, grandkid] = [`k-${turn}`, `g-${turn}`];
    if (manner === "family") {
      report(kid, sessionId, { state: "running" });
      report(grandkid, kid, { state: "running" });
    }
    const asking = manner === "family" ? grandkid : sessionId;
    showCall(`t-${turn}`, asking);
    ask(`q-${turn}`, `t-${turn}`, "May I?", asking);
  }

  function end(prompt: Frame, turn: number): void {
    const toolCallId = `t-${turn}`;
    const content = [{ type: "content", content: text("seen") }];
    if (manner === "obedient") update("tool_call_update", { toolCallId, status: "completed", content });
    else if (manner === "unruly") misbehave(turn);
    else {
      report(`g-${turn}`, `k-${turn}`, { state: "idle", stopReason: "end_turn" });
      report(`k-${turn}`, sessionId, { state: "idle", stopReason: "end_turn" });
    }
    update("agent_message_chunk", { messageId: `a-${turn}`, content: text("Done.") });
    if (dialect === "v2") update("state_update", { state: "idle", stopReason: "end_turn" });
    else send({ id: prompt.id, result: { stopReason: "end_turn" } });
  }

  function misbehave(turn: number): void {
    ask(`left-${turn}`, `t-${turn}`, "Leave me");
    ask("twice", `t-${turn}`, "Leave me");
    update("tool_call_update", { toolCallId: `none-${turn}`, status: "in_progress" });
    update("terminal_output_chunk", { terminalId: `none-${turn}`, data: "aGk=" });
    update("plan_update", { plan: { type: "markdown", planId: `p-${turn}`, content: "Plan" } });
    update("agent_message_chunk", { content: text("lost") }, `none-${turn}`);
    update("user_message_chunk", { messageId: `other-${turn}`, content: text("not said") });
    update(`_odd_${turn}`, {});
    send({ id: `nobody-${turn}`, result: {} });
    send({ method: "$/cancel_request", params: { requestId: `none-${turn}` } });
    send({ method: "elicitation/complete", params: { elicitationId: `none-${turn}` } });
    send({ id: `odd-${turn}`, method: `_none/${turn}`, params: {} });
  }

  function receive(frame: Frame): void {
    const { id, method } = frame;
    if (method === "initialize") send({ id, result: hellos[dialect] });
    else if (method === "session/new") send({ id, result: { sessionId, configOptions: [select("slow")] } });
    else if (method === "session/set_config_option") {
      send({ id, result: manner === "obedient" ? { configOptions: [select("slow")] } : { configOptions: 7 } });
    } else if (method === "session/prompt") {
      turns += 1;
      const turn = turns;
      open = () => end(frame, turn);
      begin(frame, turn);
    } else if (method === undefined && id === `q-${turns}`) {
      open?.();
      open = undefined;
    }
  }

  channel.start({ message: (message) => receive(message as Frame), invalidLine: () => undefined });
}
