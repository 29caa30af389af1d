import type { MessageUpsert, SessionEvent, SessionMessagePatch } from "../../event.js";
import { contentBlock, contentBlocksOrNull } from "../content.js";
import { onlyPlan, planRemoved, planUpdate } from "../plan.js";
import { count, metaOrNull, textOrNull, type Wire, withMeta } from "../read.js";
import {
  compaction,
  compactionChunk,
  cost,
  currentMode,
  type Decoder,
  decodeBy,
  notice,
  sessionInfo,
} from "../updates.js";
import { commandsUpdate, optionsUpdate } from "./settings.js";
import { messageIdOf, stateUpdate, subagentUpdate } from "./state.js";
import { terminalChunk, terminalUpdate } from "./terminal.js";
import { toolCallChunk, toolCallUpdate } from "./tool-call.js";

/**
 * Reads the `update` of a `session/update` of any draft of version 2: the drafts share a version number, so each update
 * is read by its shape (V2-SEED-01), under older names too (V2-SEED-06). Takes any value and never throws: what is
 * malformed or of an unknown kind comes back as an `unknown` event that holds it.
 */
export const decode = (update: unknown): readonly SessionEvent[] => decodeBy(decoders, update);

const decoders: ReadonlyMap<string, Decoder> = /* @__PURE__ */ new Map<string, Decoder>([
  ["user_message", (update) => message("user_message", update)],
  ["agent_message", (update) => message("agent_message", update)],
  ["agent_thought", (update) => message("agent_thought", update)],
  ["state_update", stateUpdate],
  ["tool_call_update", toolCallUpdate],
  ["tool_call_content_chunk", toolCallChunk],
  ["terminal_update", terminalUpdate],
  ["terminal_output_chunk", terminalChunk],
  ["plan_update", planUpdate],
  ["plan_removed", planRemoved],
  ["available_commands_update", commandsUpdate],
  ["config_option_update", optionsUpdate],
  ["session_info_update", sessionInfo],
  ["usage_update", usage],
  ["notice", notice],
  ["compaction_update", compaction],
  ["compaction_summary_chunk", compactionChunk],
  ["subagent_update", subagentUpdate],
  ["session_message", sessionMessage],
  ["session_message_chunk", sessionMessageChunk],
  // What version 1 called these: agents of older drafts still send them (V2-SEED-06).
  ["tool_call", toolCallUpdate],
  ["plan", onlyPlan],
  ["current_mode_update", currentMode],
]);

function message(type: MessageUpsert["type"], update: Wire): SessionEvent | string {
  const messageId = messageIdOf(update);
  if (messageId === undefined) return "messageId is no string";
  const event: { -readonly [K in keyof MessageUpsert]: MessageUpsert[K] } = { type, messageId };
  const content = contentBlocksOrNull(update.content);
  if (content !== undefined) event.content = content;
  const _meta = metaOrNull(update._meta);
  if (_meta !== undefined) event._meta = _meta;
  return event;
}

function usage(update: Wire): SessionEvent | string {
  const used = count(update.used);
  const size = count(update.size);
  if (used === undefined || size === undefined) return "used and size are no counts";
  const spent = update.cost === null ? null : cost(update.cost);
  if (spent === undefined) return withMeta<SessionEvent>({ type: "usage_update", used, size }, update);
  return withMeta<SessionEvent>({ type: "usage_update", used, size, cost: spent }, update);
}

const REFERENCES = ["senderSessionId", "recipientSessionId", "senderMessageId", "recipientMessageId"] as const;

function sessionMessage(update: Wire): SessionEvent | string {
  const messageId = messageIdOf(update);
  if (messageId === undefined) return "messageId is no string";
  const event: { -readonly [K in keyof SessionMessagePatch]: SessionMessagePatch[K] } = {
    type: "session_message",
    messageId,
  };
  for (const key of REFERENCES) {
    const reference = textOrNull(update[key]);
    if (reference !== undefined) event[key] = reference;
  }
  const content = contentBlocksOrNull(update.content);
  if (content !== undefined) event.content = content;
  const _meta = metaOrNull(update._meta);
  if (_meta !== undefined) event._meta = _meta;
  return event;
}

function sessionMessageChunk(update: Wire): SessionEvent | string {
  const messageId = messageIdOf(update);
  if (messageId === undefined) return "messageId is no string";
  const content = contentBlock(update.content);
  if (content === undefined) return "content is no content block";
  return withMeta<SessionEvent>({ type: "session_message_chunk", messageId, content }, update);
}
