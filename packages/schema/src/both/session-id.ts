import { type Schema, string } from "../vocabulary.js";

/**
 * Names a session: chosen by the agent, opaque, never used again.
 * @see V1-SESS-02
 * @see V2-SES-02
 */
export type SessionId = string;
/** Validates a {@link SessionId}. */
export const sessionId: Schema<SessionId> = string();
