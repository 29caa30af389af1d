import type { ModelAgent } from "./model-agent.js";
import type { Loose } from "./model-session.js";

/** Frames that differ by dialect, for the scenes of the model. */
export type Words = {
  hello(agent: ModelAgent): Loose;
  /** Members of the results that open a session. */
  facts(agent: ModelAgent, mode: string): Loose;
  options(agent: ModelAgent, values: Loose): Loose[];
  message(id: string, text: string): Loose;
  thought(id: string, text: string): Loose;
  tool(first: boolean, call: Loose): Loose;
  plan(entries: Loose[]): Loose;
  diff(path: string): Loose;
  question(sessionId: string, call: Loose): Loose;
};

const info = { name: "model-agent", version: "1.0.0" };

const permissionOptions = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const terminalLogin = {
  ...{ type: "terminal", methodId: "shell", name: "Log in in a terminal" },
  env: [{ name: "LOGIN", value: "1" }],
};

const text = (value: string) => ({ type: "text", text: value });
const levels = [
  { value: "low", name: "Low" },
  { value: "high", name: "High" },
];

const modes = (currentModeId: string) => ({
  currentModeId,
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
});

const v1: Words = {
  hello: () => ({
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
    authMethods: [],
  }),
  facts: (agent, mode) => ({ modes: modes(mode), configOptions: v1.options(agent, {}) }),
  options: (agent, { effort = "low", fast = false }) => [
    { id: "effort", name: "Effort", type: "select", currentValue: effort, options: levels },
    ...(agent.client?.clientCapabilities?.session?.configOptions?.boolean
      ? [{ id: "fast", name: "Fast", type: "boolean", currentValue: fast }]
      : []),
  ],
  message: (messageId, value) => ({ sessionUpdate: "agent_message_chunk", messageId, content: text(value) }),
  thought: (messageId, value) => ({ sessionUpdate: "agent_thought_chunk", messageId, content: text(value) }),
  tool: (first, call) => ({ sessionUpdate: first ? "tool_call" : "tool_call_update", ...call }),
  plan: (entries) => ({ sessionUpdate: "plan", entries }),
  diff: (path) => ({ type: "diff", path, oldText: "a", newText: "b" }),
  question: (sessionId, toolCall) => ({ sessionId, toolCall, options: permissionOptions }),
};

const seed: Words = {
  ...v1,
  hello: () => ({
    protocolVersion: 2,
    agentInfo: info,
    capabilities: {
      session: {
        ...{ prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {}, http: {} } },
        ...{ load: {}, list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      },
    },
    authMethods: [],
  }),
  facts: (agent) => ({ configOptions: seed.options(agent, {}) }),
  tool: (_first, call) => ({ sessionUpdate: "tool_call_update", ...call }),
  plan: (entries) => ({ sessionUpdate: "plan_update", plan: { type: "items", id: "plan-1", entries } }),
};

const v2: Words = {
  ...seed,
  hello: ({ client }) => ({
    protocolVersion: 2,
    info,
    capabilities: {
      session: {
        prompt: { image: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        additionalDirectories: {},
      },
    },
    authMethods: client?.capabilities?.auth?.terminal ? [terminalLogin] : [],
  }),
  facts: (agent) => ({
    configOptions: v2.options(agent, {}),
    availableCommands: [{ type: "command", name: "undo", description: "Undo the last edit" }],
  }),
  options: (_agent, { effort = "low", fast = false }) => [
    { configId: "effort", name: "Effort", type: "select", currentValue: effort, options: levels },
    { configId: "fast", name: "Fast", type: "boolean", currentValue: fast },
  ],
  plan: (entries) => ({ sessionUpdate: "plan_update", plan: { type: "items", planId: "plan-1", entries } }),
  diff: (path) => ({
    type: "diff",
    changes: [{ operation: "modify", path }],
    patch: {
      format: "git_patch",
      text: `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-a\n+b\n`,
    },
  }),
  question: (sessionId, toolCall) => ({
    ...{ sessionId, title: "Write the file?", options: permissionOptions },
    subject: { type: "tool_call", toolCall },
  }),
};

export const words = { v1, v2, seed };
