import fc from "fast-check";
import type { SessionEvent } from "../src/event.js";

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

const chunks = ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"].map((type) =>
  of(type, { messageId: fc.option(id, { nil: undefined }), content: block }),
);
const messages = ["user_message", "agent_message", "agent_thought"].map((type) =>
  of(type, { messageId: id, content: orNull(fc.array(block, { maxLength: 3 })), _meta: meta }),
);

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
  of("config_option_set", { configId: id, value: fc.oneof(id, fc.boolean()) }),
  of("replay_started", {}),
  of("replay_ended", {}),
  of("session_closed", {}),
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
