import type { EventListener } from "../src/index.js";
import { dial, newSession, type Options, type RawAgent } from "./raw-agent.js";

/** Everything that a version 2 agent can offer. */
export const SESSION = {
  prompt: { image: {}, audio: {}, embeddedContext: {} },
  mcp: { stdio: {}, http: {} },
  delete: {},
  additionalDirectories: {},
};

const info = { name: "raw-agent", version: "0.0.2" };

/** Result of `initialize` of a version 2 agent of today. */
export const NOW = { protocolVersion: 2, info, capabilities: { session: SESSION } };

/** Result of `initialize` of an agent of the draft of June 2026. */
export const SEED = {
  protocolVersion: 2,
  agentInfo: info,
  capabilities: { session: { ...SESSION, load: {}, list: {}, resume: {}, close: {} }, auth: { logout: {} } },
};

/** A client that has agreed with an agent that introduces itself so. */
export async function openDraft(said: object = NOW, options: Options = {}) {
  const { agent, connecting, ...others } = dial(options);
  agent.answer(await agent.call("initialize"), said);
  return { agent, client: await connecting, ...others };
}

/** A client with one session. */
export async function openDraftSession(said: object = NOW, options: Options = {}, onEvent?: EventListener) {
  const opened = await openDraft(said, options);
  return { ...opened, session: await newSession(opened, "s-1", onEvent) };
}

/** A prompt that is on its way to the agent. */
export async function openDraftTurn(said: object = NOW, options: Options = {}) {
  const opened = await openDraftSession(said, options);
  const turn = opened.session.prompt("hi");
  return { ...opened, turn, prompt: await opened.agent.call("session/prompt") };
}

export const running = { sessionUpdate: "state_update", state: "running", background: [] };
export const idle = (stopReason?: string, more: object = {}) => ({
  sessionUpdate: "state_update",
  state: "idle",
  ...(stopReason !== undefined && { stopReason }),
  ...more,
});
export const echo = (messageId: string, text = "hi") => ({
  sessionUpdate: "user_message",
  messageId,
  content: [{ type: "text", text }],
});
export const piece = (text: string, messageId = "a-1") => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});

/** A permission question as version 2 asks it. */
export function ask(agent: RawAgent, id: string, subject?: object, sessionId = "s-1"): void {
  const options = [{ optionId: "yes", name: "Allow", kind: "allow_once" }];
  agent.request(id, "session/request_permission", { sessionId, title: "May I?", options, ...(subject && { subject }) });
}
