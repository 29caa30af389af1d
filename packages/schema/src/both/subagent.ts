import { type Infer, lenient, nullable, object, type Schema } from "../vocabulary.js";
import { sessionId } from "./identifiers.js";

const marker_ = object({});
/**
 * Marker that the client may send `session/cancel` for the child session. The marker counts if it is present and not
 * null.
 */
export interface SessionCancelCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionCancelCapabilities}. */
export const sessionCancelCapabilities: Schema<SessionCancelCapabilities> = marker_;

const subagentSessionCapabilities_ = object({
  /** Support for `session/cancel` for the child session. */
  cancel: lenient(nullable(sessionCancelCapabilities)),
});
/** Requests that the client may send to a child session. */
export interface SubagentSessionCapabilities extends Infer<typeof subagentSessionCapabilities_> {}
/** Validates {@link SubagentSessionCapabilities}. */
export const subagentSessionCapabilities: Schema<SubagentSessionCapabilities> = subagentSessionCapabilities_;

const sessionReference_ = object({
  /** Session that the agent has announced before. */
  sessionId,
});
// P-SUB-17
/** Link to another session. It is only for display, and gives no control over that session. */
export interface SessionReference extends Infer<typeof sessionReference_> {}
/** Validates a {@link SessionReference}. */
export const sessionReference: Schema<SessionReference> = sessionReference_;
