import type { Row } from "./malformed.js";
import { fine } from "./outcome.js";

const text = { type: "text", text: "a" };
const update = (more: object) => ({ sessionId: "s", update: more });
const call = (more: object) => update({ sessionUpdate: "tool_call", toolCallId: "t", title: "t", ...more });
const change = (more: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "t", ...more });
const state = (more: object) => update({ sessionUpdate: "state_update", ...more });
const question = { sessionId: "s", toolCall: { toolCallId: "t" } };
const ask = { sessionId: "s", title: "Run?", options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] };
const form = (property: object) => ({
  ...{ mode: "form", sessionId: "s", message: "m" },
  requestedSchema: { type: "object", properties: { a: property } },
});
const select = (more: object) => ({ type: "select", configId: "c", name: "C", currentValue: "a", ...more });
const hello = { protocolVersion: 2, info: { name: "a", version: "1" } };

/** Version 2: the traps of the catalogue, and messages of version 1 and of older drafts. */
export const malformedV2: readonly Row[] = [
  [
    "initialize",
    "the greeting of a client of the older draft",
    { protocolVersion: 2, clientInfo: hello.info },
    { refused: ["info"] },
  ],
  [
    "← initialize",
    "the answer of version 1",
    { protocolVersion: 1, agentCapabilities: { loadSession: true } },
    { refused: ["info"] },
  ],
  [
    "← initialize",
    "a yes where a marker belongs",
    { ...hello, capabilities: { session: { delete: true, prompt: { image: {} } } } },
    {
      salvaged: ["capabilities.session.delete"],
      as: { ...hello, capabilities: { session: { prompt: { image: {} } } } },
    },
  ],
  [
    "← initialize",
    "logins of version 1",
    {
      ...hello,
      authMethods: [
        { id: "w", name: "W" },
        { type: "agent", methodId: "m", name: "M" },
      ],
    },
    { salvaged: ["authMethods.0"], as: { ...hello, authMethods: [{ type: "agent", methodId: "m", name: "M" }] } },
  ],
  [
    "← initialize",
    "a login of an unknown type",
    { ...hello, authMethods: [{ type: "passkey", methodId: "p", name: "P" }] },
    { kept: ["authMethods.0.type"] },
  ],
  [
    "← initialize",
    "a terminal login whose environment is a map",
    { ...hello, authMethods: [{ type: "terminal", methodId: "t", name: "T", env: { A: "1" } }] },
    { salvaged: ["authMethods.0"], as: { ...hello, authMethods: [] } },
  ],
  [
    "session/new",
    "a server of version 1 without a type",
    { cwd: "/a", mcpServers: [{ name: "n", command: "/n", args: [], env: [] }] },
    { refused: ["mcpServers.0.type"] },
  ],
  [
    "session/new",
    "a server over SSE, for the agent to refuse",
    { cwd: "/a", mcpServers: [{ type: "sse", name: "n", url: "u" }] },
    { kept: ["mcpServers.0.type"] },
  ],
  [
    "session/new",
    "null for lists",
    { cwd: "/a", mcpServers: null, additionalDirectories: null },
    { salvaged: ["additionalDirectories", "mcpServers"], as: { cwd: "/a", mcpServers: [], additionalDirectories: [] } },
  ],
  [
    "session/new",
    "one bad header",
    { cwd: "/a", mcpServers: [{ type: "http", name: "n", url: "u", headers: [{ name: "A" }] }] },
    { refused: ["mcpServers.0.headers.0.value"] },
  ],
  [
    "← session/new",
    "commands of version 1",
    { sessionId: "s", availableCommands: [{ name: "a", description: "A", input: { hint: "h" } }] },
    {
      salvaged: ["availableCommands.0.type", "availableCommands.0.input.type"],
      as: {
        sessionId: "s",
        availableCommands: [{ type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } }],
      },
    },
  ],
  [
    "← session/new",
    "null for the config options",
    { sessionId: "s", configOptions: null },
    { salvaged: ["configOptions"], as: { sessionId: "s" } },
  ],
  [
    "← session/new",
    "a config option of version 1",
    {
      sessionId: "s",
      configOptions: [{ ...select({ options: [{ value: "a", name: "A" }] }), configId: undefined, id: "c" }],
    },
    { salvaged: ["configOptions.0"], as: { sessionId: "s", configOptions: [] } },
  ],
  [
    "← session/new",
    "a config option without values",
    { sessionId: "s", configOptions: [select({ options: [] })] },
    { salvaged: ["configOptions.0"], as: { sessionId: "s", configOptions: [] } },
  ],
  [
    "← session/new",
    "plain values and groups mixed",
    {
      sessionId: "s",
      configOptions: [
        select({
          options: [
            { value: "a", name: "A" },
            { groupId: "g", name: "G", options: [] },
          ],
        }),
      ],
    },
    { salvaged: ["configOptions.0"], as: { sessionId: "s", configOptions: [] } },
  ],
  [
    "session/resume",
    "a cursor of an unknown type, for the agent to refuse",
    { sessionId: "s", cwd: "/a", replayFrom: { type: "message", id: "m" } },
    { kept: ["replayFrom.type"] },
  ],
  [
    "session/resume",
    "a cursor that is a string",
    { sessionId: "s", cwd: "/a", replayFrom: "start" },
    { refused: ["replayFrom"] },
  ],
  ["← session/resume", "null for an empty result", null, { refused: [""] }],
  ["← session/list", "the empty string as a cursor", { sessions: [], nextCursor: "" }, fine],
  ["← session/list", "a number as a cursor", { sessions: [], nextCursor: 2 }, { refused: ["nextCursor"] }],
  [
    "← session/list",
    "an entry with a bad root",
    { sessions: [{ sessionId: "s", cwd: "/a", additionalDirectories: [1] }] },
    { salvaged: ["sessions.0"], as: { sessions: [] } },
  ],
  ["session/prompt", "nothing in it", { sessionId: "s", prompt: [] }, { refused: ["prompt"] }],
  [
    "session/prompt",
    "a block of an unknown type, for the agent to refuse",
    { sessionId: "s", prompt: [{ type: "video" }] },
    { kept: ["prompt.0.type"] },
  ],
  [
    "← session/prompt",
    "the answer of version 1 and of the older draft",
    { stopReason: "end_turn" },
    { refused: ["messageId"] },
  ],
  ["← session/prompt", "the empty answer of the draft of August", {}, { refused: ["messageId"] }],
  ["session/update", "a new call as version 1 tells it", call({}), { kept: ["update.sessionUpdate"] }],
  [
    "session/update",
    "a chunk without a message id",
    update({ sessionUpdate: "agent_message_chunk", content: text }),
    { refused: ["update.messageId"] },
  ],
  [
    "session/update",
    "a replayed message, empty at first",
    update({ sessionUpdate: "agent_message", messageId: "m", content: [] }),
    fine,
  ],
  [
    "session/update",
    "a message whose content is text",
    update({ sessionUpdate: "agent_message", messageId: "m", content: "a" }),
    { salvaged: ["update.content"], as: update({ sessionUpdate: "agent_message", messageId: "m" }) },
  ],
  [
    "session/update",
    "a diff of version 1",
    change({ content: [{ type: "diff", path: "/a", newText: "a" }] }),
    { salvaged: ["update.content.0"], as: change({ content: [] }) },
  ],
  [
    "session/update",
    "a move without its origin among other changes",
    change({
      content: [
        {
          type: "diff",
          changes: [
            { operation: "move", path: "/b" },
            { operation: "add", path: "/c" },
          ],
        },
      ],
    }),
    {
      salvaged: ["update.content.0.changes.0"],
      as: change({ content: [{ type: "diff", changes: [{ operation: "add", path: "/c" }] }] }),
    },
  ],
  [
    "session/update",
    "capabilities of a call that are a list: none, to be safe",
    change({ capabilities: ["cancel"] }),
    { salvaged: ["update.capabilities"], as: change({ capabilities: null }) },
  ],
  ["session/update", "kind and status reset by null", change({ kind: null, status: null, title: null }), fine],
  [
    "session/update",
    "the line 0",
    change({ locations: [{ path: "/a", line: 0 }] }),
    { salvaged: ["update.locations.0.line"], as: change({ locations: [{ path: "/a" }] }) },
  ],
  [
    "session/update",
    "an idle state with a reason of somebody's own",
    state({ state: "idle", stopReason: "_budget_spent" }),
    fine,
  ],
  [
    "session/update",
    "an idle state with a reason of the future",
    state({ state: "idle", stopReason: "paused" }),
    { kept: ["update.stopReason"] },
  ],
  [
    "session/update",
    "an idle state with a reason that is no string",
    state({ state: "idle", stopReason: 1 }),
    { salvaged: ["update.stopReason"], as: state({ state: "idle" }) },
  ],
  [
    "session/update",
    "a failure whose error is a string",
    state({ state: "idle", stopReason: "error", error: "boom" }),
    { salvaged: ["update.error"], as: state({ state: "idle", stopReason: "error" }) },
  ],
  [
    "session/update",
    "one bad item among background work",
    state({ state: "idle", background: [{ type: "terminal" }, { type: "tool_call", toolCallId: "t" }] }),
    { salvaged: ["update.background"], as: state({ state: "idle" }) },
  ],
  [
    "session/update",
    "background work of an unknown type",
    state({ state: "running", background: [{ type: "hologram", sessionId: "c" }] }),
    { kept: ["update.background.0.type"] },
  ],
  ["session/update", "an unknown state", state({ state: "asleep" }), { kept: ["update.state"] }],
  ["session/update", "a state that is missing", state({}), { refused: ["update.state"] }],
  [
    "session/update",
    "a terminal of which only the id is told",
    update({ sessionUpdate: "terminal_update", terminalId: "t" }),
    fine,
  ],
  [
    "session/update",
    "an exit that says nothing more, and output that is no base64",
    update({ sessionUpdate: "terminal_update", terminalId: "t", exitStatus: {}, output: { data: "%" } }),
    fine,
  ],
  [
    "session/update",
    "a terminal without columns",
    update({ sessionUpdate: "terminal_update", terminalId: "t", size: { cols: 0, rows: 1 } }),
    { salvaged: ["update.size"], as: update({ sessionUpdate: "terminal_update", terminalId: "t" }) },
  ],
  [
    "session/update",
    "the plan of the older draft",
    update({ sessionUpdate: "plan_update", plan: { type: "items", id: "p", entries: [] } }),
    { refused: ["update.plan.planId"] },
  ],
  [
    "session/update",
    "a plan without its list",
    update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries: null } }),
    { refused: ["update.plan.entries"] },
  ],
  [
    "session/update",
    "a plan of an unstable type",
    update({ sessionUpdate: "plan_update", plan: { type: "file", planId: "p", uri: "file:///x" } }),
    { kept: ["update.plan.type"] },
  ],
  [
    "session/update",
    "commands that are null",
    update({ sessionUpdate: "available_commands_update", availableCommands: null }),
    { refused: ["update.availableCommands"] },
  ],
  [
    "session/update",
    "an empty notice",
    update({ sessionUpdate: "notice", severity: "info", title: "" }),
    { refused: ["update.title"] },
  ],
  [
    "session/update",
    "an audience of numbers and a priority of 2",
    update({
      sessionUpdate: "agent_message_chunk",
      messageId: "m",
      content: { ...text, annotations: { audience: [1, "user"], priority: 2 } },
    }),
    {
      salvaged: ["update.content.annotations.audience.0", "update.content.annotations.priority"],
      as: update({
        sessionUpdate: "agent_message_chunk",
        messageId: "m",
        content: { ...text, annotations: { audience: ["user"] } },
      }),
    },
  ],
  [
    "session/request_permission",
    "the question of version 1",
    { ...question, options: ask.options },
    { refused: ["title"] },
  ],
  ["session/request_permission", "no options", { ...ask, options: [] }, { refused: ["options"] }],
  [
    "session/request_permission",
    "a command without its directory",
    { ...ask, subject: { type: "command", command: "make" } },
    { refused: ["subject.cwd"] },
  ],
  [
    "session/request_permission",
    "a subject and a kind of the future",
    { ...ask, subject: { type: "network", host: "a" }, options: [{ ...ask.options[0], kind: "allow_session" }] },
    { kept: ["subject.type", "options.0.kind"] },
  ],
  [
    "← session/request_permission",
    "an outcome of the future, which approves nothing",
    { outcome: { outcome: "deferred" } },
    { kept: ["outcome.outcome"] },
  ],
  [
    "session/set_config_option",
    "no type, as in version 1",
    { sessionId: "s", configId: "c", value: "a" },
    { refused: ["type"] },
  ],
  [
    "session/set_config_option",
    "a string for a boolean",
    { sessionId: "s", configId: "c", type: "boolean", value: "true" },
    { refused: ["value"] },
  ],
  ["elicitation/create", "two scopes", { ...form({ type: "boolean" }), requestId: 1 }, { refused: [""] }],
  [
    "elicitation/create",
    "no scope",
    { mode: "url", message: "m", elicitationId: "e", url: "https://a.test" },
    { refused: [""] },
  ],
  [
    "elicitation/create",
    "nothing to choose from",
    form({ type: "string", enum: [] }),
    { refused: ["requestedSchema.properties.a.enum"] },
  ],
  [
    "elicitation/create",
    "a title that is a number",
    form({ type: "string", title: 1 }),
    { salvaged: ["requestedSchema.properties.a.title"], as: form({ type: "string" }) },
  ],
  ["← elicitation/create", "an action of the future, which cancels", { action: "snooze" }, { kept: ["action"] }],
  ["$/cancel_request", "the id null", { requestId: null }, { refused: ["requestId"] }],
];
