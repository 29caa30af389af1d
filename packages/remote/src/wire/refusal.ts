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
 * - `message_gap`: a message with a lower `Acp-Message-Number` has not arrived. Send from there again.
 */
export type Conflict = { readonly reason: ResumeRefusal | "reader_busy" | "message_gap" };
