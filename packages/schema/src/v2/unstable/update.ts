import { extend, extendVariants, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stableSubagent from "../subagent.js";
import * as stable from "../update.js";
import { planUpdate } from "./plan.js";
import { stateUpdate } from "./state.js";

const subagentUpdate_ = extend(stableSubagent.subagentUpdate, {
  /** Current activity. Null means unknown, not idle. */
  state: lenient(nullable(stateUpdate)),
});
/**
 * Creation or change of a child session, sent on its parent. Null clears a member, absent leaves it. `_meta` is merged
 * key by key.
 */
export interface SubagentUpdate extends Infer<typeof subagentUpdate_> {}
/** Validates a {@link SubagentUpdate}. */
export const subagentUpdate: Schema<SubagentUpdate> = subagentUpdate_;

const sessionUpdate_ = extendVariants(stable.sessionUpdate, "sessionUpdate", {
  state_update: stateUpdate,
  plan_update: planUpdate,
  subagent_update: subagentUpdate,
});
/** Update of a session; `sessionUpdate` is its kind. */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/** Validates a {@link SessionUpdate}. Unknown variants are kept; malformed members of known ones are errors. */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const updateSessionNotification_ = extend(stable.updateSessionNotification, {
  /** Update of the session. */
  update: sessionUpdate,
});
/** Params of `session/update`. */
export interface UpdateSessionNotification extends Infer<typeof updateSessionNotification_> {}
/** Validates a {@link UpdateSessionNotification}. */
export const updateSessionNotification: Schema<UpdateSessionNotification> = updateSessionNotification_;
