import { extend, extendVariants, type Infer, type Schema } from "../../vocabulary.js";
import * as stable from "../update.js";
import { planRemoved, planUpdate } from "./plan.js";
import { sessionMessage, sessionMessageChunk, subagentUpdate } from "./subagent.js";

const sessionUpdate_ = extendVariants(stable.sessionUpdate, "sessionUpdate", {
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

const sessionNotification_ = extend(stable.sessionNotification, {
  /** Update of the session. */
  update: sessionUpdate,
});
/** Params of `session/update`. */
export interface SessionNotification extends Infer<typeof sessionNotification_> {}
/** Validates a {@link SessionNotification}. */
export const sessionNotification: Schema<SessionNotification> = sessionNotification_;
