import { usage } from "../../both/unstable/usage.js";
import { extend, extendVariants, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stable from "../state.js";

const idleStateUpdate_ = extend(stable.idleStateUpdate, {
  /** Numbers of used tokens. */
  usage: lenient(nullable(usage)),
});
/** State of a child session without work. */
export interface IdleStateUpdate extends Infer<typeof idleStateUpdate_> {}
/** Validates an {@link IdleStateUpdate}. */
export const idleStateUpdate: Schema<IdleStateUpdate> = idleStateUpdate_;

const stateUpdate_ = extendVariants(stable.stateUpdate, "state", { idle: idleStateUpdate });
/** Current activity of a child session. Each report replaces the previous report. An unknown state is not idle. */
export type StateUpdate = Infer<typeof stateUpdate_> | never;
/** Validates a {@link StateUpdate}. */
export const stateUpdate: Schema<StateUpdate> = stateUpdate_;
