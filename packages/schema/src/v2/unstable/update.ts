import { extend, extendVariants, type Infer, type Schema } from "../../vocabulary.js";
import * as stable from "../update.js";
import { planRemoved, planUpdate } from "./plan.js";
import { stateUpdate } from "./state.js";
import { sessionMessage, sessionMessageChunk, subagentUpdate } from "./subagent.js";

const sessionUpdate_ = extendVariants(stable.sessionUpdate, "sessionUpdate", {
  state_update: stateUpdate,
  plan_update: planUpdate,
  plan_removed: planRemoved,
  subagent_update: subagentUpdate,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
});
/** Update of a session; `sessionUpdate` is its kind. */
export type SessionUpdate = Infer<typeof sessionUpdate_> | never;
/**
 * Validates a {@link SessionUpdate}; an unknown variant is kept as it came, a known one with a bad body is an error.
 */
export const sessionUpdate: Schema<SessionUpdate> = sessionUpdate_;

const updateSessionNotification_ = extend(stable.updateSessionNotification, {
  /** Update of the session. */
  update: sessionUpdate,
});
/** Params of `session/update`. */
export interface UpdateSessionNotification extends Infer<typeof updateSessionNotification_> {}
/** Validates a {@link UpdateSessionNotification}. */
export const updateSessionNotification: Schema<UpdateSessionNotification> = updateSessionNotification_;
