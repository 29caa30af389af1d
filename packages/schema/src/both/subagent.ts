import { type Infer, lenient, nullable, object, type Schema } from "../vocabulary.js";
import { sessionId } from "./identifiers.js";

const marker_ = object({});
/** Marker: `session/cancel` may name the child. It counts when present and not null. */
export interface SessionCancelCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionCancelCapabilities}. */
export const sessionCancelCapabilities: Schema<SessionCancelCapabilities> = marker_;

const subagentSessionCapabilities_ = object({
  /** Method `session/cancel` for the child. */
  cancel: lenient(nullable(sessionCancelCapabilities)),
});
/** Commands that the client may send to a child session. */
export interface SubagentSessionCapabilities extends Infer<typeof subagentSessionCapabilities_> {}
/** Validates {@link SubagentSessionCapabilities}. */
export const subagentSessionCapabilities: Schema<SubagentSessionCapabilities> = subagentSessionCapabilities_;

const sessionReference_ = object({
  /** The session. The agent has announced it before. */
  sessionId,
});
// P-SUB-17
/** Link to another session, only for display. It gives no control over that session. */
export interface SessionReference extends Infer<typeof sessionReference_> {}
/** Validates a {@link SessionReference}. */
export const sessionReference: Schema<SessionReference> = sessionReference_;
