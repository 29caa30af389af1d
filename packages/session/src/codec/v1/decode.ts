import type { SessionEvent, SessionMessagePatch } from "../../event.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { sessionMessage, subagentUpdate } from "../children.js";
import { contentBlock, location, textDiff, toolCallContent } from "../content.js";
import { isObject, list, meta, text } from "../read.js";
import { commandBy, optionWith } from "../settings.js";
import { asItIs, integer, knownMembers, listOf, type Reader, type Readers } from "../shape.js";
import { contentBlocks, cost, decodeBy, kind, type UpdateKind, type UpdateKinds } from "../updates.js";
import { subagentSpawned, subagentStateUpdate } from "./air-children.js";

/**
 * Reads the `update` of a version 1 `session/update`: pass `message.params.update`. The decoder accepts any value and never throws. A malformed
 * update, or an update of an unknown kind, is kept in an `unknown` event. The decoder is stateless. It is separate from
 * the codec, so that bundles with only the decoder contain no encoder.
 */
export function decodeV1<U>(
  update: U & (U extends { jsonrpc: string } | { update: unknown } ? never : unknown),
): readonly SessionEvent[] {
  const events = decodeBy(KINDS, update);
  return events[0]?.type === "session_message_chunk" ? withParties(events[0]) : events;
}

type Parties = Pick<SessionMessagePatch, "senderSessionId" | "recipientSessionId">;

/**
 * Returns the events of a chunk of a message between sessions. In older drafts, a chunk also has the ids of both sessions.
 */
// P-OLD-01
function withParties(event: Extract<SessionEvent, { type: "session_message_chunk" }>): readonly SessionEvent[] {
  const { senderSessionId, recipientSessionId, ...chunk } = event as typeof event & Parties;
  if (senderSessionId == null && recipientSessionId == null) return [event];
  const parties = { ...(senderSessionId && { senderSessionId }), ...(recipientSessionId && { recipientSessionId }) };
  return [{ type: "session_message", messageId: event.messageId, ...parties }, chunk as typeof event];
}

/**
 * Members of a tool call. In version 1, `null` counts as absent. A list with the value `null` therefore changes
 * nothing.
 */
// V1-UPD-14
const TOOL_CALL: Readers = {
  name: text,
  kind: text,
  status: text,
  content: /* @__PURE__ */ listOf(/* @__PURE__ */ toolCallContent(textDiff)),
  locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(0)),
  rawInput: asItIs,
  rawOutput: asItIs,
};

const PATCH = /* @__PURE__ */ toolCall({ toolCallId: text }, { title: text });

/** Reads the tool call of a permission question. */
export const toolCallPatch = /* @__PURE__ */ knownMembers<ToolCallPatch>(PATCH);

/* @__NO_SIDE_EFFECTS__ */
function toolCall(required: Readers, optional?: Readers, start?: object): UpdateKind {
  return kind({ required, optional: { ...optional, ...TOOL_CALL } }, start);
}

/**
 * Initial members of a tool call. If a second `tool_call` has the same id, it resets the members that it leaves out.
 */
// V1-UPD-12
const WHOLE = {
  type: "tool_call_update",
  name: null,
  kind: null,
  status: null,
  content: [],
  locations: [],
  rawInput: null,
  rawOutput: null,
  _meta: null,
};

/** Reader of a command. Version 1 has one type of command and one type of input. */
const command = /* @__PURE__ */ commandBy((value, type) => (isObject(value) ? { ...value, type } : value));

/**
 * Reader of a configuration option, also with the older names `id` and `group`. An option whose `type` is unknown is
 * not changed.
 */
export const configOption = /* @__PURE__ */ optionWith(0);

/** Returns the reader of a list. Any value that is not a list reads as an empty list. An absent value stays absent. */
/* @__NO_SIDE_EFFECTS__ */
export function anyListOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (value === undefined ? undefined : list(value, read));
}

const count = /* @__PURE__ */ integer(0);

const sessionMessageChunk = /* @__PURE__ */ kind({
  required: { messageId: text, content: contentBlock },
  optional: { senderSessionId: text, recipientSessionId: text },
});

const KINDS: UpdateKinds = {
  tool_call: /* @__PURE__ */ toolCall({ toolCallId: text, title: text }, {}, WHOLE),
  tool_call_update: PATCH,
  available_commands_update: /* @__PURE__ */ kind({
    required: { availableCommands: /* @__PURE__ */ anyListOf(command) },
  }),
  config_option_update: /* @__PURE__ */ kind({ required: { configOptions: /* @__PURE__ */ anyListOf(configOption) } }),
  usage_update: /* @__PURE__ */ kind({ required: { used: count, size: count }, optional: { cost } }),
  compaction_update: /* @__PURE__ */ kind({
    required: { compactionId: text, status: text },
    nullable: { summary: contentBlocks, error: text, _meta: meta },
  }),
  subagent_update: subagentUpdate,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
  subagent_spawned: subagentSpawned,
  subagent_state_update: subagentStateUpdate,
};
