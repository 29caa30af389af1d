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
 * New or changed child session, for clients with `subagents`. `null` clears a member, and an absent member is not
 * changed.
 */
export interface SubagentUpdate extends Infer<typeof subagentUpdate_> {}
/** Validates a {@link SubagentUpdate}. */
export const subagentUpdate: Schema<SubagentUpdate> = subagentUpdate_;

const sessionUpdate_ = extendVariants(stable.sessionUpdate, "sessionUpdate", {
  plan_update: planUpdate,
  subagent_update: subagentUpdate,
});
/** Update of a session. `sessionUpdate` is its type. */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/** Validates a {@link SessionUpdate}. Unknown variants are accepted. Malformed members of known variants are errors. */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const sessionNotification_ = extend(stable.sessionNotification, {
  /** Update of the session. */
  update: sessionUpdate,
});
/** Params of `session/update`. */
export interface SessionNotification extends Infer<typeof sessionNotification_> {}
/** Validates a {@link SessionNotification}. */
export const sessionNotification: Schema<SessionNotification> = sessionNotification_;
