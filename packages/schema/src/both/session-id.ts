import { type Schema, string } from "../vocabulary.js";

// V1-SESS-02, V2-SES-02
/** Identifier of a session: chosen by the agent, opaque, never used again. */
export type SessionId = string;
/** Validates a {@link SessionId}. */
export const sessionId: Schema<SessionId> = string();
