import { type Schema, string } from "../vocabulary.js";

// V1-SESS-02, V2-SES-02
/** Identifier of a session. The agent chooses it and never uses it again. The client must not interpret it. */
export type SessionId = string;
/** Validates a {@link SessionId}. */
export const sessionId: Schema<SessionId> = string();

// V2-UPD-09
/** Identifier of a message, unique in its session. The agent chooses it, and the client must not interpret it. */
export type MessageId = string;
/** Validates a {@link MessageId}. */
export const messageId: Schema<MessageId> = string();

/** Identifier of a tool call, unique in its session. */
export type ToolCallId = string;
/** Validates a {@link ToolCallId}. */
export const toolCallId: Schema<ToolCallId> = string();

// V2-TERM-01
/** Identifier of a terminal. It is valid in its session until the terminal is released. */
export type TerminalId = string;
/** Validates a {@link TerminalId}. */
export const terminalId: Schema<TerminalId> = string();
