import { messageId, sessionId } from "../both/identifiers.js";
import { compactionId, compactionStatus, notice, sessionInfoUpdate, usageUpdate } from "../both/update.js";
import { type Infer, lenient, nullable, object, type Schema, sifted, string, variants } from "../vocabulary.js";
import { availableCommandsUpdate } from "./command.js";
import { configOptionUpdate } from "./config-option.js";
import { contentBlock } from "./content.js";
import { currentModeUpdate } from "./mode.js";
import { plan, planRemoved, planUpdate } from "./plan.js";
import { sessionMessage, sessionMessageChunk, subagentUpdate } from "./subagent.js";
import { toolCall, toolCallUpdate } from "./tool-call.js";

const compactionCapabilities_ = object({});
/** Marker that the client shows compactions. The marker counts if it is present and not null. */
export interface CompactionCapabilities extends Infer<typeof compactionCapabilities_> {}
/** Validates {@link CompactionCapabilities}. */
export const compactionCapabilities: Schema<CompactionCapabilities> = compactionCapabilities_;

const compactionUpdate_ = object({
  /** Id of the compaction. */
  compactionId,
  /** Current status. */
  status: compactionStatus,
  /** Complete new summary. `null` clears the summary, and an absent value changes nothing. */
  summary: lenient(nullable(sifted(contentBlock))),
  /** Reason for the failure, for people. `null` clears the reason, and an absent value changes nothing. */
  error: lenient(nullable(string())),
});
// V1-UPD-36, V1-UPD-38
/** Compaction of the agent's context. Only for clients with `session.compaction`. */
export interface CompactionUpdate extends Infer<typeof compactionUpdate_> {}
/** Validates a {@link CompactionUpdate}. */
export const compactionUpdate: Schema<CompactionUpdate> = compactionUpdate_;

const compactionSummaryChunk_ = object({
  /** Id of the compaction. A chunk with a new id creates a compaction. */
  compactionId,
  /** Content that is added to the summary. */
  content: contentBlock,
});
// V1-UPD-39
/** Addition to a compaction's summary. */
export interface CompactionSummaryChunk extends Infer<typeof compactionSummaryChunk_> {}
/** Validates a {@link CompactionSummaryChunk}. */
export const compactionSummaryChunk: Schema<CompactionSummaryChunk> = compactionSummaryChunk_;

const contentChunk_ = object({
  /** Content that is added to the message. */
  content: contentBlock,
  /**
   * Id of the message. Chunks with equal ids form one message. If the id is absent, null or malformed, it is unknown.
   */
  messageId: lenient(nullable(messageId)),
});
// V1-UPD-03, V1-UPD-04
/** Part of a message. */
export interface ContentChunk extends Infer<typeof contentChunk_> {}
/** Validates a {@link ContentChunk}. */
export const contentChunk: Schema<ContentChunk> = contentChunk_;

const sessionUpdate_ = variants(
  "sessionUpdate",
  {
    user_message_chunk: contentChunk,
    agent_message_chunk: contentChunk,
    agent_thought_chunk: contentChunk,
    tool_call: toolCall,
    tool_call_update: toolCallUpdate,
    plan,
    plan_update: planUpdate,
    plan_removed: planRemoved,
    available_commands_update: availableCommandsUpdate,
    current_mode_update: currentModeUpdate,
    config_option_update: configOptionUpdate,
    session_info_update: sessionInfoUpdate,
    usage_update: usageUpdate,
    notice,
    compaction_update: compactionUpdate,
    compaction_summary_chunk: compactionSummaryChunk,
    subagent_update: subagentUpdate,
    session_message: sessionMessage,
    session_message_chunk: sessionMessageChunk,
  },
  { unknown: "keep" },
);
// V1-UPD-01, V1-LEN-10
/**
 * Update of a session. `sessionUpdate` is its type. Variants that this protocol version does not define can be
 * received, but not written. `update.sessionUpdate as string` returns their type.
 */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/** Validates a {@link SessionUpdate}. Unknown variants are accepted. Malformed members of known variants are errors. */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const sessionNotification_ = object({
  /** Id of the session. */
  sessionId,
  /** Update of the session. */
  update: sessionUpdate,
});
// V1-UPD-02
/** Params of `session/update`. Updates apply in the order of their arrival. */
export interface SessionNotification extends Infer<typeof sessionNotification_> {}
/** Validates a {@link SessionNotification}. */
export const sessionNotification: Schema<SessionNotification> = sessionNotification_;
