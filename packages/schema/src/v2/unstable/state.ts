import { sessionId } from "../../both/identifiers.js";
import { usage } from "../../both/unstable/usage.js";
import {
  extend,
  extendVariants,
  type Infer,
  lenient,
  list,
  nullable,
  object,
  openVariants,
  type Schema,
} from "../../vocabulary.js";
import * as stable from "../state.js";

const backgroundSubagent_ = object({
  /** The child session. */
  sessionId,
});
/** A child session that works, or has background work. */
export interface BackgroundSubagent extends Infer<typeof backgroundSubagent_> {}
/** Validates a {@link BackgroundSubagent}. */
export const backgroundSubagent: Schema<BackgroundSubagent> = backgroundSubagent_;

const backgroundWork_ = extendVariants(stable.backgroundWork, "type", { subagent: backgroundSubagent });
// V2-BG-03
/** Work that runs while the session may be idle. Work of an unknown type runs too. */
export type BackgroundWork = Infer<typeof backgroundWork_> | never;
/** Validates {@link BackgroundWork}. */
export const backgroundWork: Schema<BackgroundWork> = backgroundWork_;

const background = {
  /** Complete list of background work; absent, null or malformed means unknown. */
  background: lenient(nullable(list(backgroundWork))),
};
const working_ = object(background);

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

const idleStateUpdate_ = extend(extend(stable.idleStateUpdate, background), {
  /** Tokens used by the work that ended. */
  usage: lenient(nullable(usage)),
});
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
/** Current activity of a session: a snapshot that replaces the one before. An unknown state is not idle. */
export type StateUpdate = Infer<typeof stateUpdate_> | never;
/** Validates a {@link StateUpdate}. */
export const stateUpdate: Schema<StateUpdate> = stateUpdate_;
