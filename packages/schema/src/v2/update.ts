import { sessionId } from "../both/identifiers.js";
import { compactionId, compactionStatus, notice, sessionInfoUpdate, usageUpdate } from "../both/update.js";
import { type Infer, lenient, nullable, object, openVariants, type Schema, sifted, string } from "../vocabulary.js";
import { availableCommandsUpdate } from "./command.js";
import { configOptionUpdate } from "./config-option.js";
import { contentBlock } from "./content.js";
import { agentMessage, agentThought, contentChunk, userMessage } from "./message.js";
import { planRemoved, planUpdate } from "./plan.js";
import { stateUpdate } from "./state.js";
import { sessionMessage, sessionMessageChunk, subagentUpdate } from "./subagent.js";
import { terminalOutputChunk, terminalUpdate } from "./terminal.js";
import { toolCallContentChunk, toolCallUpdate } from "./tool-call.js";

const compactionUpdate_ = object({
  /** Id of the compaction. */
  compactionId,
  /**
   * Current status. `null` means `in_progress`. If the status is absent or malformed, nothing changes. A new compaction
   * is then `in_progress`.
   */
  status: lenient(nullable(compactionStatus)),
  /** Complete new summary. `null` clears the summary, and an absent or malformed value changes nothing. */
  summary: lenient(nullable(sifted(contentBlock))),
  /** Reason for the failure, for people. `null` clears the reason, and an absent or malformed value changes nothing. */
  error: lenient(nullable(string())),
});
// V2-UPD-04, V2-UPD-24, P-COMP-01
/** Compaction of the agent's context. `_meta` is merged by key. */
export interface CompactionUpdate extends Infer<typeof compactionUpdate_> {}
/** Validates a {@link CompactionUpdate}. */
export const compactionUpdate: Schema<CompactionUpdate> = compactionUpdate_;

const compactionSummaryChunk_ = object({
  /** Id of the compaction. A chunk with a new id creates a compaction that is `in_progress`. */
  compactionId,
  /** Content that is added to the summary. */
  content: contentBlock,
});
// V2-UPD-24
/** Addition to a compaction's summary. */
export interface CompactionSummaryChunk extends Infer<typeof compactionSummaryChunk_> {}
/** Validates a {@link CompactionSummaryChunk}. */
export const compactionSummaryChunk: Schema<CompactionSummaryChunk> = compactionSummaryChunk_;

const replayComplete_ = object({});
// P-REPLAY-01, P-REPLAY-06
/** End of a replay. All updates before it are history, and all updates after it are new. */
export interface ReplayComplete extends Infer<typeof replayComplete_> {}
/** Validates a {@link ReplayComplete}. */
export const replayComplete: Schema<ReplayComplete> = replayComplete_;

const sessionUpdate_ = openVariants("sessionUpdate", {
  user_message: userMessage,
  user_message_chunk: contentChunk,
  agent_message: agentMessage,
  agent_message_chunk: contentChunk,
  agent_thought: agentThought,
  agent_thought_chunk: contentChunk,
  state_update: stateUpdate,
  tool_call_update: toolCallUpdate,
  tool_call_content_chunk: toolCallContentChunk,
  terminal_update: terminalUpdate,
  terminal_output_chunk: terminalOutputChunk,
  plan_update: planUpdate,
  plan_removed: planRemoved,
  available_commands_update: availableCommandsUpdate,
  config_option_update: configOptionUpdate,
  session_info_update: sessionInfoUpdate,
  usage_update: usageUpdate,
  notice,
  compaction_update: compactionUpdate,
  compaction_summary_chunk: compactionSummaryChunk,
  subagent_update: subagentUpdate,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
  replay_complete: replayComplete,
});
// V2-UPD-06, V2-DEC-06
/**
 * Update of a session. `sessionUpdate` is its type. Other variants are not changed. They include variants of version 1
 * that were removed (`tool_call`, `plan`, `current_mode_update`). `update.sessionUpdate as string` returns their type.
 */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/** Validates a {@link SessionUpdate}. Unknown variants are accepted. Malformed members of known variants are errors. */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const updateSessionNotification_ = object({
  /** Id of the session. */
  sessionId,
  /** Update of the session. */
  update: sessionUpdate,
});
// V2-UPD-01
/** Params of `session/update`. Updates apply in the order of their arrival. */
export interface UpdateSessionNotification extends Infer<typeof updateSessionNotification_> {}
/** Validates a {@link UpdateSessionNotification}. */
export const updateSessionNotification: Schema<UpdateSessionNotification> = updateSessionNotification_;
