import type { DialectName } from "../dialects/dialect.js";
import type { Frame } from "../entry.js";

/** Messages of the runner as an agent, which differ by dialect. */
export type AgentMessages = {
  /** Result of `initialize`. */
  hello(): Frame;
  /** Members of the results that open a session. */
  opened(): Frame;
  message(messageId: string, text: string): Frame;
  tool(first: boolean, call: Frame): Frame;
  plan(entries: readonly Frame[]): Frame;
  /** Params of a permission question without its session. */
  question(toolCall: Frame, options: readonly Frame[]): Frame;
};

const info = { name: "turnkit-conformance", version: "1.0.0" };

/** Options of an ordinary question. */
export const defaultOptions: readonly Frame[] = [
  { optionId: "conf-yes", name: "Allow", kind: "allow_once" },
  { optionId: "conf-no", name: "Reject", kind: "reject_once" },
];

const v1: AgentMessages = {
  hello: () => ({
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: { loadSession: true },
    authMethods: [],
  }),
  opened: () => ({}),
  message: (messageId, text) => ({
    sessionUpdate: "agent_message_chunk",
    messageId,
    content: { type: "text", text },
  }),
  tool: (first, call) => ({ sessionUpdate: first ? "tool_call" : "tool_call_update", ...call }),
  plan: (entries) => ({ sessionUpdate: "plan", entries }),
  question: (toolCall, options) => ({ toolCall, options }),
};

const seed: AgentMessages = {
  ...v1,
  hello: () => ({
    protocolVersion: 2,
    agentInfo: info,
    capabilities: { session: { load: {} } },
    authMethods: [],
  }),
  tool: (_first, call) => ({ sessionUpdate: "tool_call_update", ...call }),
  plan: (entries) => ({ sessionUpdate: "plan_update", plan: { type: "items", id: "conf-plan", entries } }),
};

const v2: AgentMessages = {
  ...seed,
  hello: () => ({ protocolVersion: 2, info, capabilities: { session: {} }, authMethods: [] }),
  plan: (entries) => ({ sessionUpdate: "plan_update", plan: { type: "items", planId: "conf-plan", entries } }),
  question: (toolCall, options) => ({ title: "May I?", subject: { type: "tool_call", toolCall }, options }),
};

/** Messages by dialect. */
export const agentMessages: Readonly<Record<DialectName, AgentMessages>> = { v1, v2, seed };
