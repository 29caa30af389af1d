import { sessionId, terminalId, toolCallId } from "../both/identifiers.js";
import {
  extend,
  type Infer,
  lenient,
  list,
  nullable,
  object,
  openEnum,
  openVariants,
  type Schema,
} from "../vocabulary.js";
import { errorObject } from "./error.js";

const backgroundTerminal_ = object({
  /** Id of the terminal whose process runs. */
  terminalId,
});
/** Process that runs longer than its tool call. */
export interface BackgroundTerminal extends Infer<typeof backgroundTerminal_> {}
/** Validates a {@link BackgroundTerminal}. */
export const backgroundTerminal: Schema<BackgroundTerminal> = backgroundTerminal_;

const backgroundToolCall_ = object({
  /** Id of the call whose work continues. */
  toolCallId,
});
/** Work without a separate process, such as a watcher. */
export interface BackgroundToolCall extends Infer<typeof backgroundToolCall_> {}
/** Validates a {@link BackgroundToolCall}. */
export const backgroundToolCall: Schema<BackgroundToolCall> = backgroundToolCall_;

const backgroundSubagent_ = object({
  /** Id of the child session. */
  sessionId,
});
// P-BG-01
/** Child session that works, or that has background work. */
export interface BackgroundSubagent extends Infer<typeof backgroundSubagent_> {}
/** Validates a {@link BackgroundSubagent}. */
export const backgroundSubagent: Schema<BackgroundSubagent> = backgroundSubagent_;

const backgroundWork_ = openVariants("type", {
  terminal: backgroundTerminal,
  tool_call: backgroundToolCall,
  subagent: backgroundSubagent,
});
// V2-BG-03
/** Work that may run while the session is idle. Work of an unknown type runs too. */
export type BackgroundWork = Infer<typeof backgroundWork_> | never;
/** Validates {@link BackgroundWork}. */
export const backgroundWork: Schema<BackgroundWork> = backgroundWork_;

const working_ = object({
  // V2-BG-01
  /**
   * Complete list of background work. If it is absent, null or malformed, the work is unknown. An empty list means that
   * there is none. One malformed item makes the list malformed.
   */
  background: lenient(nullable(list(backgroundWork))),
});

/** State of an agent that works. */
export interface RunningStateUpdate extends Infer<typeof working_> {}
/** Validates a {@link RunningStateUpdate}. */
export const runningStateUpdate: Schema<RunningStateUpdate> = working_;

/** State of foreground work that waits for the user. */
export interface RequiresActionStateUpdate extends Infer<typeof working_> {}
/** Validates a {@link RequiresActionStateUpdate}. */
export const requiresActionStateUpdate: Schema<RequiresActionStateUpdate> = working_;

// V2-PRM-21
/** State of a session whose activity is unknown. */
export interface UnknownStateUpdate extends Infer<typeof working_> {}
/** Validates an {@link UnknownStateUpdate}. */
export const unknownStateUpdate: Schema<UnknownStateUpdate> = working_;

const stopReason_ = openEnum("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error");
// V2-PRM-14
/**
 * Reason for the end of foreground work:
 * - `end_turn`: the work is finished
 * - `max_tokens`, `max_turn_requests`: a limit of tokens or requests was reached
 * - `refusal`: the agent refused
 * - `cancelled`: the work was cancelled
 * - `error`: the work failed
 */
export type StopReason = Infer<typeof stopReason_> | never;
/** Validates a {@link StopReason}. Unknown values are accepted. */
export const stopReason: Schema<StopReason> = stopReason_;

const failure = {
  /** Error of the work, only with the stop reason `error`. */
  error: lenient(nullable(errorObject)),
};
const errorStopReason_ = object(failure);
/** Members that exist only with the stop reason `error`. */
export interface ErrorStopReason extends Infer<typeof errorStopReason_> {}
/** Validates an {@link ErrorStopReason}. */
export const errorStopReason: Schema<ErrorStopReason> = errorStopReason_;

const stopped_ = extend(working_, {
  /** Reason for the end of foreground work. If it is absent, null or malformed, the reason is unknown. */
  stopReason: lenient(nullable(stopReason)),
});
const idleStateUpdate_ = extend(stopped_, failure);
// V2-PRM-13, V2-PRM-15
/** State without foreground work. */
export interface IdleStateUpdate extends Infer<typeof idleStateUpdate_> {}
/** Validates an {@link IdleStateUpdate}. */
export const idleStateUpdate: Schema<IdleStateUpdate> = idleStateUpdate_;

const stateUpdate_ = openVariants("state", {
  running: runningStateUpdate,
  idle: idleStateUpdate,
  requires_action: requiresActionStateUpdate,
  unknown: unknownStateUpdate,
});
// V2-PRM-17, V2-PRM-20, V2-UPD-15
/** Current activity of the session. Each report replaces the previous report. An unknown state is not idle. */
export type StateUpdate = Infer<typeof stateUpdate_> | never;
/** Validates a {@link StateUpdate}. */
export const stateUpdate: Schema<StateUpdate> = stateUpdate_;
