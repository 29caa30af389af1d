import { type Schema, string } from "../vocabulary.js";

// V1-SESS-02, V2-SES-02
/** Identifier of a session: chosen by the agent, opaque, never used again. */
export type SessionId = string;
/** Validates a {@link SessionId}. */
export const sessionId: Schema<SessionId> = string();

// V2-UPD-09
/** Identifier of a message; chosen by the agent, opaque, unique within the session. */
export type MessageId = string;
/** Validates a {@link MessageId}. */
export const messageId: Schema<MessageId> = string();

/** Identifier of a tool call; unique within its session. */
export type ToolCallId = string;
/** Validates a {@link ToolCallId}. */
export const toolCallId: Schema<ToolCallId> = string();

// V2-TERM-01
/** Identifier of a terminal of a session until it is released. */
export type TerminalId = string;
/** Validates a {@link TerminalId}. */
export const terminalId: Schema<TerminalId> = string();
