import type { Row } from "./malformed.js";
import { fine } from "./outcome.js";

const text = { type: "text", text: "a" };
const update = (more: object) => ({ sessionId: "s", update: more });
const call = (more: object) => update({ sessionUpdate: "tool_call", toolCallId: "t", title: "t", ...more });
const change = (more: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "t", ...more });
const question = { sessionId: "s", toolCall: { toolCallId: "t" } };
const form = (property: object) => ({
  ...{ mode: "form", sessionId: "s", message: "m" },
  requestedSchema: { type: "object", properties: { a: property } },
});
const hello = { protocolVersion: 2, info: { name: "a", version: "1" } };

/** Version 1: what real peers do (quirks.md), the traps of the catalogue, and messages of version 2. */
export const malformedV1: readonly Row[] = [
  ["initialize", "a version as a string", { protocolVersion: "1.0.0" }, { refused: ["protocolVersion"] }],
  ["initialize", "a version of 65536", { protocolVersion: 65_536 }, { refused: ["protocolVersion"] }],
  [
    "initialize",
    "the greeting of a client of both versions",
    { ...hello, capabilities: {}, clientInfo: hello.info },
    fine,
  ],
  [
    "initialize",
    "a marker where a yes or no belongs",
    { protocolVersion: 1, clientCapabilities: { terminal: {}, fs: { readTextFile: true } } },
    {
      salvaged: ["clientCapabilities.terminal"],
      as: { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } },
    },
  ],
  [
    "initialize",
    "a yes where a marker belongs",
    { protocolVersion: 1, clientCapabilities: { session: { notices: true } } },
    {
      salvaged: ["clientCapabilities.session.notices"],
      as: { protocolVersion: 1, clientCapabilities: { session: {} } },
    },
  ],
  [
    "initialize",
    "client information without a version",
    { protocolVersion: 1, clientInfo: { name: "x" } },
    { salvaged: ["clientInfo"], as: { protocolVersion: 1 } },
  ],
  ["← initialize", "the answer 99 of a client-side bridge", { protocolVersion: 99 }, fine],
  [
    "← initialize",
    "a terminal login with bad arguments, which must not become a login of the agent",
    {
      protocolVersion: 1,
      authMethods: [
        { type: "terminal", id: "t", name: "T", args: "login" },
        { id: "w", name: "W" },
      ],
    },
    { salvaged: ["authMethods.0"], as: { protocolVersion: 1, authMethods: [{ id: "w", name: "W" }] } },
  ],
  [
    "← initialize",
    "a login of an unknown type",
    { protocolVersion: 1, authMethods: [{ type: "passkey", id: "p", name: "P" }] },
    { kept: ["authMethods.0.type"] },
  ],
  ["← authenticate", "null for an empty result", null, { salvaged: [""], as: {} }],
  ["session/new", "no list of MCP servers", { cwd: "/a" }, { refused: ["mcpServers"] }],
  [
    "session/new",
    "null for the list of MCP servers",
    { cwd: "/a", mcpServers: null },
    { salvaged: ["mcpServers"], as: { cwd: "/a", mcpServers: [] } },
  ],
  [
    "session/new",
    "a server of version 2 without lists",
    { cwd: "/a", mcpServers: [{ type: "stdio", name: "n", command: "/n" }] },
    { refused: ["mcpServers.0.args", "mcpServers.0.env"] },
  ],
  [
    "session/new",
    "a server of an unknown transport",
    { cwd: "/a", mcpServers: [{ type: "acp", name: "n", serverId: "1" }] },
    { refused: ["mcpServers.0.command", "mcpServers.0.args", "mcpServers.0.env"] },
  ],
  [
    "session/new",
    "one bad root",
    { cwd: "/a", mcpServers: [], additionalDirectories: ["/b", 5] },
    { refused: ["additionalDirectories.1"] },
  ],
  ["session/new", "positional params", ["/a", []], { refused: [""] }],
  [
    "← session/new",
    "models, as agents of 2025 have them",
    { sessionId: "s", models: { currentModelId: "m", availableModels: [] } },
    fine,
  ],
  [
    "← session/new",
    "modes without a list",
    { sessionId: "s", modes: { currentModeId: "a" } },
    { salvaged: ["modes"], as: { sessionId: "s" } },
  ],
  [
    "← session/prompt",
    "usage and an empty `_meta` beside the reason",
    { stopReason: "end_turn", usage: { totalTokens: 1 }, _meta: {} },
    fine,
  ],
  ["← session/prompt", "a reason of version 2", { stopReason: "error" }, { refused: ["stopReason"] }],
  ["← session/prompt", "the answer of version 2", { messageId: "m" }, { refused: ["stopReason"] }],
  [
    "session/prompt",
    "a block of an unknown type",
    { sessionId: "s", prompt: [{ type: "video" }] },
    { refused: ["prompt.0.type"] },
  ],
  ["session/prompt", "a bare string", { sessionId: "s", prompt: "hello" }, { refused: ["prompt"] }],
  [
    "session/update",
    "an unknown variant",
    update({ sessionUpdate: "state_update", state: "idle" }),
    { kept: ["update.sessionUpdate"] },
  ],
  ["session/update", "no variant at all", update({ content: text }), { refused: ["update.sessionUpdate"] }],
  [
    "session/update",
    "a call without a title",
    update({ sessionUpdate: "tool_call", toolCallId: "t" }),
    { refused: ["update.title"] },
  ],
  ["session/update", "a number for the id of a call", change({ toolCallId: 7 }), { refused: ["update.toolCallId"] }],
  [
    "session/update",
    "the `name` of version 2, empty input and no places",
    call({ name: "grep", rawInput: {}, locations: [] }),
    fine,
  ],
  ["session/update", "an update that holds only `_meta`", change({ _meta: { a: 1 } }), fine],
  ["session/update", "an unknown kind", call({ kind: "browse" }), { kept: ["update.kind"] }],
  ["session/update", "a status of version 2", change({ status: "cancelled" }), { kept: ["update.status"] }],
  [
    "session/update",
    "a status that is no string",
    change({ status: 3 }),
    { salvaged: ["update.status"], as: change({}) },
  ],
  [
    "session/update",
    "a block without its wrapper as the content of a call",
    call({ content: [text, { type: "content", content: text }] }),
    { kept: ["update.content.0.type"] },
  ],
  [
    "session/update",
    "a diff without the new text",
    call({ content: [{ type: "diff", path: "/a", oldText: "a" }] }),
    { salvaged: ["update.content.0"], as: call({ content: [] }) },
  ],
  [
    "session/update",
    "a diff without the old text",
    call({ content: [{ type: "diff", path: "/a", newText: "a" }] }),
    fine,
  ],
  [
    "session/update",
    "a line that is negative",
    call({ locations: [{ path: "/a", line: -1 }] }),
    { salvaged: ["update.locations.0.line"], as: call({ locations: [{ path: "/a" }] }) },
  ],
  [
    "session/update",
    "null where a chunk names no message",
    update({ sessionUpdate: "agent_message_chunk", content: text, messageId: null }),
    fine,
  ],
  [
    "session/update",
    "a chunk of bare text",
    update({ sessionUpdate: "agent_message_chunk", content: "a" }),
    { refused: ["update.content"] },
  ],
  [
    "session/update",
    "a plan entry with a status of version 2",
    update({ sessionUpdate: "plan", entries: [{ content: "a", priority: "low", status: "cancelled" }] }),
    { salvaged: ["update.entries.0"], as: update({ sessionUpdate: "plan", entries: [] }) },
  ],
  [
    "session/update",
    "the mode as the documentation has it",
    update({ sessionUpdate: "current_mode_update", modeId: "a" }),
    { refused: ["update.currentModeId"] },
  ],
  [
    "session/update",
    "usage without a size",
    update({ sessionUpdate: "usage_update", used: 1 }),
    { refused: ["update.size"] },
  ],
  [
    "session/request_permission",
    "an option of an unknown kind",
    { ...question, options: [{ optionId: "y", name: "Y", kind: "allow" }] },
    { refused: ["options.0.kind"] },
  ],
  ["session/request_permission", "no options", { ...question, options: [] }, fine],
  [
    "← session/request_permission",
    "an outcome that does not nest",
    { outcome: "selected", optionId: "y" },
    { refused: ["outcome"] },
  ],
  [
    "session/set_config_option",
    "a boolean without its type",
    { sessionId: "s", configId: "c", value: true },
    { refused: ["type"] },
  ],
  [
    "session/set_config_option",
    "the type `id` of version 2",
    { sessionId: "s", configId: "c", type: "id", value: "a" },
    fine,
  ],
  ["← fs/write_text_file", "null for an empty result", null, { salvaged: [""], as: {} }],
  ["← terminal/wait_for_exit", "a negative exit code", { exitCode: -1 }, { salvaged: ["exitCode"], as: {} }],
  [
    "elicitation/create",
    "a bound that is a string",
    form({ type: "string", minLength: "1" }),
    { refused: ["requestedSchema.properties.a.minLength"] },
  ],
  ["$/cancel_request", "the id null", { requestId: null }, fine],
  ["$/cancel_request", "a fraction for an id", { requestId: 1.5 }, { refused: ["requestId"] }],
];
