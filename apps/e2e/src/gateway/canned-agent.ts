import { createRawPeer, type Frame, type RawPeer } from "@turnkit/testing";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";

/** Text of a prompt whose turn runs until it is cancelled. */
export const HOLD = "hold";

/** A request or notification that reached the agent, as `method sessionId`. */
export type Heard = string[];

const options = ["mode", "model"].map((configId) => ({
  ...{ configId, name: configId, category: configId, type: "select", currentValue: "a" },
  options: ["a", "b"].map((value) => ({ value, name: value })),
}));

/**
 * Agent of version 2 as bare frames. It answers every request at once, and notes what it hears. A session has a tool call and
 * a terminal that can be cancelled.
 */
export function cannedAgent(heard: Heard): Channel {
  const [ours, theirs] = createMemoryPair();
  const peer = createRawPeer(theirs, { limit: 1_000_000 });
  peer.onFrame((frame) => {
    if (frame.method === undefined) return;
    const { sessionId } = (frame.params ?? {}) as { readonly sessionId?: string };
    heard.push(sessionId === undefined ? String(frame.method) : `${frame.method} ${sessionId}`);
    answer(peer, frame);
  });
  return ours;
}

let made = 0;

function answer(peer: RawPeer, frame: Frame): void {
  const { sessionId = `session-${++made}`, prompt } = (frame.params ?? {}) as Frame;
  const update = (kind: string, members: object) =>
    peer.notify("session/update", { sessionId, update: { sessionUpdate: kind, ...members } });
  const cancellable = { capabilities: { cancel: {} } };
  const work = (): void => {
    update("tool_call_update", { toolCallId: "call", title: "Call", status: "in_progress", ...cancellable });
    update("terminal_update", { terminalId: "terminal", command: "run", ...cancellable });
  };
  const idle = (stopReason: string): void => void update("state_update", { state: "idle", stopReason });
  switch (frame.method) {
    case "initialize":
      return void peer.answer(frame, {
        protocolVersion: 2,
        info: { name: "canned", version: "1.0.0" },
        capabilities: { session: { delete: {} } },
        authMethods: [{ type: "agent", methodId: "login", name: "Log in" }],
      });
    case "session/new":
      peer.answer(frame, { sessionId, configOptions: options });
      return work();
    case "session/resume":
      work();
      return void peer.answer(frame, { configOptions: options });
    case "session/set_config_option":
      return void peer.answer(frame, { configOptions: options });
    case "session/cancel":
      return idle("cancelled");
    case "session/prompt": {
      const messageId = `message-${++made}`;
      update("user_message", { messageId, content: prompt });
      peer.answer(frame, { messageId });
      update("state_update", { state: "running" });
      if (prompt[0].text !== HOLD) idle("end_turn");
      return;
    }
    default:
      if ("id" in frame) peer.answer(frame, {});
  }
}
