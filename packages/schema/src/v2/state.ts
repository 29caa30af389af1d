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
  /** The terminal whose process runs. */
  terminalId,
});
/** Process that outlives its tool call. */
export interface BackgroundTerminal extends Infer<typeof backgroundTerminal_> {}
/** Validates a {@link BackgroundTerminal}. */
export const backgroundTerminal: Schema<BackgroundTerminal> = backgroundTerminal_;

const backgroundToolCall_ = object({
  /** The call whose work goes on. */
  toolCallId,
});
/** Work without a process of its own, such as a watcher. */
export interface BackgroundToolCall extends Infer<typeof backgroundToolCall_> {}
/** Validates a {@link BackgroundToolCall}. */
export const backgroundToolCall: Schema<BackgroundToolCall> = backgroundToolCall_;

const backgroundSubagent_ = object({
  /** The child session. */
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
/** Work that runs while the session may be idle. Work of an unknown type runs too. */
export type BackgroundWork = Infer<typeof backgroundWork_> | never;
/** Validates {@link BackgroundWork}. */
export const backgroundWork: Schema<BackgroundWork> = backgroundWork_;

const working_ = object({
  // V2-BG-01
  /**
   * Complete list of background work. Absent, null or malformed means unknown, unlike an empty list. One malformed item
   * makes it malformed.
   */
  background: lenient(nullable(list(backgroundWork))),
});

/** State of a working agent. */
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
 * Reason for the end of foreground work. It finished (`end_turn`), ran out of tokens (`max_tokens`) or of requests
 * (`max_turn_requests`), was refused (`refusal`), was stopped (`cancelled`), or failed (`error`).
 */
export type StopReason = Infer<typeof stopReason_> | never;
/** Validates a {@link StopReason}; unknown ones are kept. */
export const stopReason: Schema<StopReason> = stopReason_;

const failure = {
  /** Error of the run; only with the stop reason `error`. */
  error: lenient(nullable(errorObject)),
};
const errorStopReason_ = object(failure);
/** Members added by the stop reason `error`. */
export interface ErrorStopReason extends Infer<typeof errorStopReason_> {}
/** Validates an {@link ErrorStopReason}. */
export const errorStopReason: Schema<ErrorStopReason> = errorStopReason_;

const stopped_ = extend(working_, {
  /** Reason for the end of foreground work; absent, null or malformed means unknown. */
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
/** Current activity of the session: a snapshot that replaces the one before. An unknown state is not idle. */
export type StateUpdate = Infer<typeof stateUpdate_> | never;
/** Validates a {@link StateUpdate}. */
export const stateUpdate: Schema<StateUpdate> = stateUpdate_;
