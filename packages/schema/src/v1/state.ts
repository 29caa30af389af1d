import { type Infer, lenient, nullable, object, openEnum, openVariants, type Schema } from "../vocabulary.js";
import { errorObject } from "./error.js";

const nothing_ = object({});
/** State of a child session that works. */
export interface RunningStateUpdate extends Infer<typeof nothing_> {}
/** Validates a {@link RunningStateUpdate}. */
export const runningStateUpdate: Schema<RunningStateUpdate> = nothing_;

/** State of a child session that waits for the user. */
export interface RequiresActionStateUpdate extends Infer<typeof nothing_> {}
/** Validates a {@link RequiresActionStateUpdate}. */
export const requiresActionStateUpdate: Schema<RequiresActionStateUpdate> = nothing_;

/** State of a child session whose activity is unknown. */
export interface UnknownStateUpdate extends Infer<typeof nothing_> {}
/** Validates an {@link UnknownStateUpdate}. */
export const unknownStateUpdate: Schema<UnknownStateUpdate> = nothing_;

const idleStopReason_ = openEnum("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error");
/** Reason for the end of a child session's work. It is a reason of a turn, or `error`. */
export type IdleStopReason = Infer<typeof idleStopReason_> | never;
/** Validates an {@link IdleStopReason}. Unknown values are accepted. */
export const idleStopReason: Schema<IdleStopReason> = idleStopReason_;

const errorStopReason_ = object({
  /** Error of the work. */
  error: lenient(nullable(errorObject)),
});
/** Members that exist only with the stop reason `error`. */
export interface ErrorStopReason extends Infer<typeof errorStopReason_> {}
/** Validates an {@link ErrorStopReason}. */
export const errorStopReason: Schema<ErrorStopReason> = errorStopReason_;

const idleStateUpdate_ = object({
  /** Reason for the end of the work. If it is absent, null or malformed, the reason is unknown. */
  stopReason: lenient(nullable(idleStopReason)),
  /** Error of the work, only with the stop reason `error`. */
  error: lenient(nullable(errorObject)),
});
/** State of a child session without work. */
export interface IdleStateUpdate extends Infer<typeof idleStateUpdate_> {}
/** Validates an {@link IdleStateUpdate}. */
export const idleStateUpdate: Schema<IdleStateUpdate> = idleStateUpdate_;

const stateUpdate_ = openVariants("state", {
  running: runningStateUpdate,
  idle: idleStateUpdate,
  requires_action: requiresActionStateUpdate,
  unknown: unknownStateUpdate,
});
// V1-UNST-10, P-SUB1-03
/** Current activity of a child session. Each report replaces the previous report. An unknown state is not idle. */
export type StateUpdate = Infer<typeof stateUpdate_> | never;
/** Validates a {@link StateUpdate}. */
export const stateUpdate: Schema<StateUpdate> = stateUpdate_;
