import fc from "fast-check";
import type { SessionEvent, WireEvent } from "../src/event.js";

const id = fc.constantFrom("a", "b", "c");
const text = fc.string({ maxLength: 12 });
const meta = fc.option(fc.dictionary(fc.constantFrom("x", "y"), fc.jsonValue({ maxDepth: 1 })), { nil: undefined });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant(null), fc.constant(undefined));
const block = fc.oneof(
  text.map((text) => ({ type: "text", text })),
  fc.constant({ type: "image", data: "AA==", mimeType: "image/png" }),
);
const item = fc.oneof(
  block.map((content) => ({ type: "content", content })),
  fc.record({ type: fc.constant("diff"), changes: fc.constant([{ operation: "add", path: "/a", newText: "x" }]) }),
  id.map((terminalId) => ({ type: "terminal", terminalId })),
);
const change = fc.oneof(
  text.map((newText) => ({ operation: "add", path: "/a", newText })),
  fc.tuple(text, text).map(([oldText, newText]) => ({ operation: "modify", path: "/a b", oldText, newText })),
  text.map((oldText) => ({ operation: "delete", path: "/c", oldText })),
  fc.constant({ operation: "move", oldPath: "/d", path: "/e", fileType: "binary" }),
);
const patch = fc.option(fc.constant({ format: "git_patch", text: "diff --git /a /a\n" }), { nil: undefined });
const richItem = fc.oneof(
  item,
  fc.record(
    { type: fc.constant("diff"), changes: fc.array(change, { maxLength: 2 }), patch, _meta: meta },
    { requiredKeys: ["type", "changes"] },
  ),
  fc.constant({ type: "hologram", beam: 1 }),
);
const status = fc.constantFrom("pending", "in_progress", "completed", "failed", "cancelled", "paused");
const option = fc.record({
  configId: id,
  name: id,
  category: fc.constantFrom("mode", "other"),
  type: fc.constant("select"),
  currentValue: id,
  options: fc.constant([]),
});
const error = fc.record({ code: fc.constantFrom(-32800, -32603), message: text });
const base64 = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString("base64"));

const toolCall = fc.record(
  {
    toolCallId: id,
    title: orNull(text),
    kind: orNull(fc.constantFrom("edit", "read")),
    status: orNull(status),
    content: orNull(fc.array(item, { maxLength: 3 })),
    locations: orNull(fc.array(fc.record({ path: text }), { maxLength: 2 })),
    rawInput: fc.jsonValue({ maxDepth: 1 }),
    _meta: meta,
  },
  { requiredKeys: ["toolCallId"] },
);

const of = (type: string, members: { readonly [name: string]: fc.Arbitrary<unknown> }) =>
  fc.record({ type: fc.constant(type), ...members });

/** An object in which each member may be missing, but not `undefined`. */
const partly = (type: string, needed: Members, others: Members) =>
  fc.record<{ [name: string]: unknown }>(
    { type: fc.constant(type), ...needed, ...others },
    { requiredKeys: ["type", ...Object.keys(needed)] },
  );
type Members = { readonly [name: string]: fc.Arbitrary<unknown> };
const three = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant(null));
const mark = three(fc.constantFrom({}, { cancel: {} }, { cancel: null }));
const patchMeta = fc.oneof(fc.dictionary(fc.constantFrom("x", "y"), fc.jsonValue({ maxDepth: 1 })), fc.constant(null));
const ownMeta = fc.dictionary(fc.constantFrom("x", "y"), fc.jsonValue({ maxDepth: 1 }));
const blocks = fc.array(block, { maxLength: 3 });
const work = fc.oneof(
  id.map((terminalId) => ({ type: "terminal", terminalId })),
  id.map((toolCallId) => ({ type: "tool_call", toolCallId })),
  fc.constant({ type: "daemon", pid: 1 }),
);
const step = fc.record({
  content: text,
  priority: fc.constantFrom("high", "low", "_x"),
  status: fc.constantFrom("pending", "completed", "cancelled", "_y"),
});
const plan = fc.oneof(
  fc.record({ planId: id, type: fc.constant("items"), entries: fc.array(step, { maxLength: 2 }) }),
  fc.record({ planId: id, type: fc.constant("markdown"), content: text }),
  fc.record({ planId: id, type: fc.constant("file"), uri: id }),
  fc.record({ planId: id, type: fc.constant("opera"), acts: fc.nat() }),
);
const options = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant("select"),
      configId: id,
      name: id,
      currentValue: id,
      options: fc.constantFrom(
        [{ value: "a", name: "A" }],
        [{ groupId: "g", name: "G", options: [{ value: "a", name: "A" }] }],
      ),
    }),
    fc.record({ type: fc.constant("boolean"), configId: id, name: id, currentValue: fc.boolean() }),
    fc.record({ type: fc.constant("dial"), configId: id, name: id }),
  ),
  { maxLength: 2 },
);
const command = fc.oneof(
  fc.record({ type: fc.constant("command"), name: id, description: text }),
  fc.record({
    type: fc.constant("command"),
    name: id,
    description: text,
    input: three(fc.record({ type: fc.constant("text"), hint: text })),
  }),
  fc.record({ type: fc.constant("macro"), name: id, description: text }),
);
const usageCounts = fc.record({ totalTokens: fc.nat(), inputTokens: fc.nat(), outputTokens: fc.nat() });
const exit = fc.record({ exitCode: three(fc.integer()), signal: three(fc.constant("SIGTERM")) }, { requiredKeys: [] });

/** Everything that version 2 can say, as it says it: members are there or not, and never `undefined`. */
export const wireEvent: fc.Arbitrary<WireEvent> = fc
  .oneof(
    ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((type) =>
      partly(type, { messageId: id, content: block }, { _meta: ownMeta }),
    ),
    ...["user_message", "agent_message", "agent_thought"].map((type) =>
      partly(type, { messageId: id }, { content: three(blocks), _meta: patchMeta }),
    ),
    partly(
      "tool_call_update",
      { toolCallId: id },
      {
        name: three(text),
        title: three(text),
        kind: three(fc.constantFrom("edit", "_dance")),
        status: three(
          fc.constantFrom(...["pending", "in_progress", "completed", "failed", "cancelled", "paused", "_z"]),
        ),
        content: three(fc.array(richItem, { maxLength: 3 })),
        locations: three(fc.array(fc.constantFrom({ path: "/a" }, { path: "/b", line: 1 }), { maxLength: 2 })),
        rawInput: fc.jsonValue({ maxDepth: 1 }),
        rawOutput: fc.jsonValue({ maxDepth: 1 }),
        capabilities: mark,
        _meta: patchMeta,
      },
    ),
    partly("tool_call_content_chunk", { toolCallId: id, content: richItem }, { _meta: ownMeta }),
    partly(
      "terminal_update",
      { terminalId: id },
      {
        command: three(text),
        cwd: three(id),
        output: three(fc.record({ data: base64 })),
        exitStatus: three(exit),
        size: three(fc.constant({ cols: 80, rows: 24 })),
        capabilities: mark,
        _meta: patchMeta,
      },
    ),
    partly("terminal_output_chunk", { terminalId: id, data: base64 }, { _meta: ownMeta }),
    partly("plan_update", { plan }, { _meta: ownMeta }),
    partly("plan_removed", { planId: id }, { _meta: ownMeta }),
    partly("available_commands_update", { availableCommands: fc.array(command, { maxLength: 2 }) }, { _meta: ownMeta }),
    partly("config_option_update", { configOptions: options }, { _meta: ownMeta }),
    partly("session_info_update", {}, { title: three(text), updatedAt: three(id), _meta: patchMeta }),
    partly(
      "usage_update",
      { used: fc.nat(), size: fc.nat() },
      { cost: three(fc.constant({ amount: 0.5, currency: "EUR" })), _meta: ownMeta },
    ),
    partly("notice", { severity: fc.constantFrom("info", "_loud"), title: id }, { description: text, _meta: ownMeta }),
    partly(
      "compaction_update",
      { compactionId: id, status: fc.constantFrom("in_progress", "completed", "_odd") },
      { summary: three(blocks), error: three(text), _meta: patchMeta },
    ),
    partly("compaction_summary_chunk", { compactionId: id, content: block }, { _meta: ownMeta }),
    partly(
      "state_update",
      { state: fc.constantFrom("running", "requires_action", "unknown") },
      { background: three(fc.array(work, { maxLength: 2 })), _meta: ownMeta },
    ),
    partly(
      "state_update",
      { state: fc.constant("idle") },
      {
        background: three(fc.array(work, { maxLength: 2 })),
        stopReason: three(fc.constantFrom("end_turn", "cancelled", "_out")),
        usage: usageCounts,
      },
    ),
    error.map((why) => ({ type: "state_update", state: "idle", stopReason: "error", error: why })),
    fc.constant({ type: "state_update", state: "_dreaming", depth: 3 }),
    partly(
      "subagent_update",
      { sessionId: id },
      {
        title: three(text),
        description: three(text),
        capabilities: mark,
        state: three(fc.constantFrom({ state: "running" }, { state: "idle", stopReason: "end_turn" })),
        cwd: three(id),
        additionalDirectories: three(fc.array(id, { maxLength: 2 })),
        _meta: patchMeta,
      },
    ),
    partly(
      "session_message",
      { messageId: id },
      { senderSessionId: three(id), recipientMessageId: three(id), content: three(blocks), _meta: patchMeta },
    ),
    partly("session_message_chunk", { messageId: id, content: block }, { _meta: ownMeta }),
    fc.nat().map((beam) => ({ type: "unknown", raw: { sessionUpdate: "hologram", beam } })),
  )
  .map((event) => JSON.parse(JSON.stringify(event)));

const chunks = ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((type) =>
  of(type, { messageId: fc.option(id, { nil: undefined }), content: block }),
);
const messages = ["user_message", "agent_message", "agent_thought"].map((type) =>
  of(type, { messageId: id, content: orNull(fc.array(block, { maxLength: 3 })), _meta: meta }),
);

const restored = fc
  .oneof(
    fc.record({
      member: fc.constantFrom("title", "closed", "anomalies", "internal", "lastTurn", "bytes"),
      value: fc.constant(null),
    }),
    fc.record({
      member: fc.constant("timeline"),
      value: fc.oneof(
        fc.record({ type: fc.constant("message"), role: fc.constant("agent"), key: id, content: fc.array(block) }),
        toolCall.map((call) => ({ ...call, type: "tool_call", key: `tool_call:${call.toolCallId}`, content: [] })),
        id.map((name) => ({ key: `agent:${name}`, chunkMeta: { x: 1 } })),
      ),
    }),
    fc.record({ member: fc.constant("terminals"), value: fc.record({ terminalId: id, droppedBytes: fc.nat(100) }) }),
    fc.record({ member: fc.constant("plans"), value: fc.record({ planId: id, type: fc.constant("file"), uri: id }) }),
    fc.record({ member: fc.constant("anomalies"), value: fc.constant([{ what: "odd" }]) }),
    fc.record({ member: fc.constant("cancelling"), value: fc.boolean() }),
    fc.record({ member: fc.constantFrom("bytes", "nonsense", "closed"), value: fc.nat() }),
  )
  .map((part) => JSON.parse(JSON.stringify({ type: "state_restored", ...part })));

/** Events that keep to their types, over so few ids that they meet each other. */
export const soundEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  ...chunks,
  ...chunks,
  ...messages,
  toolCall.map((patch) => ({ type: "tool_call_update", ...patch })),
  of("tool_call_content_chunk", { toolCallId: id, content: item }),
  of("terminal_update", { terminalId: id, command: orNull(text), output: orNull(fc.record({ data: base64 })) }),
  of("terminal_output_chunk", { terminalId: id, data: fc.oneof(base64, text) }),
  of("plan_update", {
    plan: fc.record({ planId: id, type: fc.constant("items"), entries: fc.constant([]) }),
  }),
  of("plan_removed", { planId: id }),
  of("state_update", { state: fc.constantFrom("running", "idle"), stopReason: orNull(id) }),
  of("available_commands_update", { availableCommands: fc.constant([]) }),
  of("config_option_update", { configOptions: fc.array(option, { maxLength: 2 }) }),
  of("current_mode_update", { currentModeId: id }),
  of("session_info_update", { title: orNull(text), _meta: meta }),
  of("usage_update", { used: fc.nat(), size: fc.nat(), cost: orNull(fc.constant({ amount: 1, currency: "EUR" })) }),
  of("notice", { severity: fc.constant("info"), title: id }),
  of("compaction_update", { compactionId: id, status, summary: orNull(fc.array(block, { maxLength: 2 })) }),
  of("compaction_summary_chunk", { compactionId: id, content: block }),
  of("unknown", { raw: fc.jsonValue() }),
  of("subagent_update", { sessionId: id, title: orNull(text), _meta: meta }),
  of("session_message", { messageId: id, content: orNull(fc.array(block, { maxLength: 2 })) }),
  of("session_message_chunk", { messageId: id, content: block }),
  of("session_opened", { sessionId: id, configOptions: orNull(fc.array(option, { maxLength: 2 })) }),
  of("prompt_sent", { promptId: id, content: fc.array(block, { maxLength: 2 }) }),
  of("prompt_accepted", { promptId: id, messageId: fc.option(id, { nil: undefined }) }),
  of("prompt_failed", { promptId: id, error }),
  of("turn_started", { promptId: id }),
  of("turn_ended", { promptId: fc.option(id, { nil: undefined }), error: fc.option(error, { nil: undefined }) }),
  of("cancel_asked", {}),
  toolCall.chain((patch) =>
    of("permission_asked", {
      requestId: id,
      title: text,
      subject: fc.constant({ type: "tool_call", toolCall: patch }),
      options: fc.constant([]),
    }),
  ),
  of("permission_answered", { requestId: id }),
  of("elicitation_asked", {
    requestId: id,
    message: text,
    mode: fc.constant("url"),
    elicitationId: id,
    url: fc.constant("https://a"),
  }),
  of("elicitation_answered", {
    requestId: id,
    answer: fc.constantFrom({ action: "accept" }, { action: "decline" }),
  }),
  of("elicitation_completed", { elicitationId: id }),
  of("config_option_set", { configId: id, value: fc.oneof(id, fc.boolean()) }),
  of("replay_started", { keeps: fc.boolean() }),
  of("replay_complete", {}),
  of("replay_ended", {}),
  restored,
  of("session_closed", {}),
  of("session_data", { data: id, dataVersion: fc.constant(1) }),
  of("child_session_event", { sessionId: id, event: of("agent_message_chunk", { messageId: id, content: block }) }),
) as unknown as fc.Arbitrary<SessionEvent>;

const members = [
  "messageId",
  "content",
  "toolCallId",
  "terminalId",
  "data",
  "output",
  "plan",
  "planId",
  "state",
  "configOptions",
  "availableCommands",
  "title",
  "used",
  "size",
  "cost",
  "compactionId",
  "summary",
  "promptId",
  "error",
  "requestId",
  "subject",
  "options",
  "locations",
  "status",
  "_meta",
];

/** Events of real types with members of any JSON. */
export const brokenEvent: fc.Arbitrary<SessionEvent> = fc
  .tuple(soundEvent, fc.dictionary(fc.constantFrom(...members), fc.jsonValue()))
  .map(([event, noise]) => ({ ...event, ...noise }) as SessionEvent);
