import { extend, extendVariants, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stableSubagent from "../subagent.js";
import * as stable from "../update.js";
import { planUpdate } from "./plan.js";
import { stateUpdate } from "./state.js";

const subagentUpdate_ = extend(stableSubagent.subagentUpdate, {
  /** Current activity. `null` means that the activity is unknown. It does not mean idle. */
  state: lenient(nullable(stateUpdate)),
});
/**
 * New or changed child session. The update is sent in the parent session. `null` clears a member, and an absent member
 * is not changed. `_meta` is merged by key.
 */
export interface SubagentUpdate extends Infer<typeof subagentUpdate_> {}
/** Validates a {@link SubagentUpdate}. */
export const subagentUpdate: Schema<SubagentUpdate> = subagentUpdate_;

const sessionUpdate_ = extendVariants(stable.sessionUpdate, "sessionUpdate", {
  state_update: stateUpdate,
  plan_update: planUpdate,
  subagent_update: subagentUpdate,
});
/** Update of a session. `sessionUpdate` is its type. */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/** Validates a {@link SessionUpdate}. Unknown variants are accepted. Malformed members of known variants are errors. */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const updateSessionNotification_ = extend(stable.updateSessionNotification, {
  /** Update of the session. */
  update: sessionUpdate,
});
/** Params of `session/update`. */
export interface UpdateSessionNotification extends Infer<typeof updateSessionNotification_> {}
/** Validates a {@link UpdateSessionNotification}. */
export const updateSessionNotification: Schema<UpdateSessionNotification> = updateSessionNotification_;
