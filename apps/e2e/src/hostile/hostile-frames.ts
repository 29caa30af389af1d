import type { DialectName } from "@turnkit/session";

/** The session that hostile lines talk of. */
export const target = "s7";

const text = { type: "text", text: "Count the tests" };
const place = { cwd: "/srv/otter", mcpServers: [] };
const ask = (method: string, params: object, id: unknown = 5) => ({ jsonrpc: "2.0", id, method, params });
const tell = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
const answer = (id: unknown, result: object) => ({ jsonrpc: "2.0", id, result });
const update = (sessionUpdate: string, rest: object) =>
  tell("session/update", { sessionId: target, update: { sessionUpdate, ...rest } });
const common = [
  { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error", data: { details: "no" } } },
  tell("$/cancel_request", { requestId: 5 }),
  tell("_example/ping", { a: 1 }),
  ask("_example/ping", {}),
];

/** First requests of a client, by dialect. */
export const hellos: Readonly<Record<DialectName, object>> = {
  v1: {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {} } },
    clientInfo: { name: "raw", version: "1" },
  },
  v2: { protocolVersion: 2, info: { name: "raw", version: "1" }, capabilities: { elicitation: { form: {}, url: {} } } },
  seed: { protocolVersion: 2, clientInfo: { name: "raw", version: "1" }, capabilities: {} },
};

/** Returns messages from clients to an agent, of every dialect. */
export function framesToAgent(sessionId: string): readonly object[] {
  const here = { sessionId };
  return [
    ...common,
    ask("initialize", hellos.v1, 0),
    ask("initialize", hellos.v2, 0),
    ask("authenticate", { methodId: "web" }),
    ask("auth/login", { methodId: "web" }),
    ask("logout", {}),
    ask("auth/logout", {}),
    ask("session/new", place),
    ask("session/load", { ...here, ...place }),
    ask("session/resume", { ...place, sessionId: "gone", replayFrom: { type: "start" } }),
    ask("session/list", { cwd: "/srv/otter", cursor: null }),
    ask("session/delete", { sessionId: "gone" }),
    ask("session/close", { sessionId: "gone" }),
    ask("session/prompt", { ...here, prompt: [text, { type: "resource_link", uri: "file:///a", name: "a" }] }, 6),
    ask("session/prompt", { ...here, prompt: [{ type: "text", text: "ask" }], _meta: { trace: "t" } }, 7),
    tell("session/cancel", here),
    tell("session/cancel", here),
    ask("session/set_mode", { ...here, modeId: "code" }),
    ask("session/set_model", { ...here, modelId: "small" }),
    ask("session/set_config_option", { ...here, configId: "terse", type: "boolean", value: true }),
    ask("tool_call/cancel", { ...here, toolCallId: "k-3" }),
    answer(1, { outcome: { outcome: "selected", optionId: "allow_once" } }),
    answer(2, { outcome: { outcome: "cancelled" } }),
    answer(3, { action: "accept", content: { name: "x" } }),
    answer(4, { content: "text" }),
  ];
}

const question = {
  sessionId: target,
  title: "Run the tests?",
  toolCall: { toolCallId: "k-3", title: "Run the tests?" },
  subject: { type: "command", command: "npm test", cwd: "/srv/otter" },
  options: [{ optionId: "y", name: "Run", kind: "allow_once" }],
};
const form = { type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] };
const option = { type: "boolean", id: "terse", configId: "terse", name: "Terse", currentValue: false };

/** Messages from agents to a client, of every dialect. */
export const framesToClient: readonly object[] = [
  ...common,
  ask("session/request_permission", question, "q1"),
  ask("elicitation/create", { sessionId: target, mode: "form", message: "Name?", requestedSchema: form }, "q2"),
  ask(
    "elicitation/create",
    { sessionId: target, mode: "url", elicitationId: "e", url: "https://a.example", message: "m" },
    "q3",
  ),
  tell("elicitation/complete", { elicitationId: "e" }),
  ask("fs/read_text_file", { sessionId: target, path: "/srv/otter/a.txt", line: 1, limit: 2 }, 11),
  ask("fs/write_text_file", { sessionId: target, path: "/srv/otter/a.txt", content: "x" }, 12),
  ask("terminal/create", { sessionId: target, command: "npm", args: ["test"], env: [{ name: "A", value: "1" }] }, 13),
  ask("terminal/output", { sessionId: target, terminalId: "t-9" }, 14),
  ask("terminal/wait_for_exit", { sessionId: target, terminalId: "t-9" }, 15),
  ask("terminal/release", { sessionId: target, terminalId: "t-9" }, 16),
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((kind) =>
    update(kind, { messageId: "m-1", content: text }),
  ),
  update("user_message", { messageId: "u-1", content: [text] }),
  update("agent_message", { messageId: "a-1", content: [text], _meta: { lang: "en" } }),
  update("agent_message", { messageId: "a-1", content: null }),
  update("tool_call", { toolCallId: "k-3", title: "Find", kind: "search", status: "pending", rawInput: { q: 1 } }),
  update("tool_call_update", { toolCallId: "k-3", status: "completed", locations: [{ path: "/srv/a.ts", line: 1 }] }),
  update("tool_call_update", {
    toolCallId: "k-4",
    content: [{ type: "diff", path: "/a", oldText: "a", newText: "b" }],
  }),
  update("tool_call_content_chunk", { toolCallId: "k-3", content: { type: "content", content: text } }),
  update("plan", { entries: [{ content: "Count", priority: "low", status: "pending" }] }),
  update("plan_update", { plan: { type: "items", id: "p-1", entries: [{ content: "Count", status: "pending" }] } }),
  update("state_update", { state: "running", background: [] }),
  update("state_update", {
    state: "idle",
    stopReason: "end_turn",
    background: [{ type: "terminal", terminalId: "t" }],
  }),
  update("terminal_update", { terminalId: "t-9", command: "npm test", cwd: "/srv", size: { cols: 100, rows: 30 } }),
  update("terminal_output_chunk", { terminalId: "t-9", data: "ww==" }),
  update("available_commands_update", { availableCommands: [{ name: "review", description: "Review" }] }),
  update("current_mode_update", { currentModeId: "code" }),
  update("config_option_update", { configOptions: [option] }),
  update("session_info_update", { title: "Tests", updatedAt: "2026-01-01T00:00:00Z" }),
  update("usage_update", { used: 1200, size: 64000, cost: { amount: 1, currency: "EUR" } }),
  update("notice", { severity: "warning", title: "Index is stale" }),
  update("compaction_update", { compactionId: "c-2", status: "completed", summary: [text] }),
  answer(2, { stopReason: "end_turn" }),
  answer(3, { messageId: "u-1" }),
];
