// A client asks for resumption by `params._meta[RESUMABLE_KEY] = true` of `initialize`. A server that offers it adds
// `capabilities.transport.resumable` to the result. Without both, no cursor is on the wire.

/** Member of `params._meta` of `initialize`. With `true`, the client asks for a resumable connection. */
export const RESUMABLE_KEY = "acp/resumable";

/** Member of `_meta` beside `jsonrpc` of each message from the server: its cursor. Removed before delivery. */
export const CURSOR_KEY = "acp/cursor";

/**
 * Member of `_meta` of the result of `initialize` on a resumable WebSocket: the id of the connection. Browsers cannot
 * read the headers of an upgrade.
 */
export const CONNECTION_ID_KEY = "acp/connectionId";

/** Member of `_meta` with a {@link TurnState}, in the answer of a resume. */
export const TURN_STATE_KEY = "acp/turnState";

/** Method of the first frame on a WebSocket that resumes a connection. */
export const STREAM_RESUME = "stream/resume";

/** Method of the notification with a {@link ResumeFailed}. Afterwards the server closes the WebSocket. */
export const STREAM_RESUME_FAILED = "stream/resume_failed";

/** Close code of a WebSocket whose connection is over: a client must not reconnect. */
export const CONNECTION_OVER = 4404;

/** Retention of a server: the member `capabilities.transport.resumable` of the result of `initialize`. */
export type Resumable = { readonly retentionMessages: number; readonly retentionSeconds: number };

/** Advice about the open prompt of a session in version 1. */
export type TurnState = { readonly state: "running" | "idle"; readonly promptRequestId?: string | number };

/** Params of `stream/resume`. On a WebSocket the whole connection is one stream, so the newest cursor counts. */
export type ResumeParams = {
  readonly connectionId: string;
  readonly streams: readonly { readonly cursor: string }[];
};

/** Result of `stream/resume`. Replayed messages follow, and then new messages. */
export type ResumeResult = {
  readonly streams: readonly { readonly cursor: string }[];
  /**
   * Number of messages that the server has received on this connection, `initialize` included. The client sends the
   * others again.
   */
  readonly received: number;
};

/**
 * Reason for which a stream is not resumed.
 *
 * - `cursor_unknown`: the server never gave this cursor.
 * - `cursor_expired`: messages after this cursor are no longer stored.
 * - `cursor_foreign`: the cursor belongs to another stream.
 */
export type ResumeRefusal = "cursor_unknown" | "cursor_expired" | "cursor_foreign";

/**
 * JSON body of an answer 409.
 *
 * - `reader_busy`: another request reads this stream.
 * - `unread_dropped`: messages of this session were dropped, because nobody read them. Restore the session.
 * - `message_gap`: a message with a lower `Acp-Message-Number` has not arrived. The client sends again from that number
 *   on.
 */
export type Conflict = { readonly reason: ResumeRefusal | "reader_busy" | "unread_dropped" | "message_gap" };

/** Params of `stream/resume_failed`. */
export type ResumeFailed = { readonly reason: ResumeRefusal | "connection_unknown" };

/** Returns `true` if a result of `initialize` offers resumption, with a complete retention. */
export function offersResumption(result: unknown): boolean {
  const { capabilities } = (result ?? {}) as { readonly capabilities?: Capabilities };
  const { retentionMessages, retentionSeconds } = capabilities?.transport?.resumable ?? {};
  return typeof retentionMessages === "number" && typeof retentionSeconds === "number";
}

type Capabilities = { readonly transport?: { readonly resumable?: Partial<Resumable> | null } | null } | null;
