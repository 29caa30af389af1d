import { sessionId } from "../both/identifiers.js";
import { notice, usageUpdate } from "../both/update.js";
import { type Infer, object, openVariants, type Schema } from "../vocabulary.js";
import { availableCommandsUpdate } from "./command.js";
import { compactionSummaryChunk, compactionUpdate } from "./compaction.js";
import { configOptionUpdate } from "./config-option.js";
import { agentMessage, agentThought, contentChunk, userMessage } from "./message.js";
import { planUpdate } from "./plan.js";
import { sessionInfoUpdate } from "./session.js";
import { stateUpdate } from "./state.js";
import { terminalOutputChunk, terminalUpdate } from "./terminal.js";
import { toolCallContentChunk, toolCallUpdate } from "./tool-call.js";

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
  available_commands_update: availableCommandsUpdate,
  config_option_update: configOptionUpdate,
  session_info_update: sessionInfoUpdate,
  usage_update: usageUpdate,
  notice,
  compaction_update: compactionUpdate,
  compaction_summary_chunk: compactionSummaryChunk,
});
// V2-UPD-06, V2-DEC-06
/**
 * Update of a session; `sessionUpdate` is its kind. Other variants are kept as they came, including those of version 1
 * that were removed (`tool_call`, `plan`, `current_mode_update`). `update.sessionUpdate as string` reads their kind.
 */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/**
 * Validates a {@link SessionUpdate}; an unknown variant is kept as it came, a known one with a bad body is an error.
 */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const updateSessionNotification_ = object({
  /** The session. */
  sessionId,
  /** Update of the session. */
  update: sessionUpdate,
});
// V2-UPD-01
/** Params of `session/update`. They apply in the order of arrival. */
export interface UpdateSessionNotification extends Infer<typeof updateSessionNotification_> {}
/** Validates a {@link UpdateSessionNotification}. */
export const updateSessionNotification: Schema<UpdateSessionNotification> = updateSessionNotification_;
