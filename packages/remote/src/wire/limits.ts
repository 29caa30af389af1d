/** Default bound of the body of a POST and of a WebSocket frame, and largest message of a client, in bytes (16 MiB). */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Size that is counted for each waiting message in addition to its text. Without it, the number of small messages would
 * have no bound.
 */
export const MESSAGE_OVERHEAD = 1024;

/** Longest id of a connection or session, and longest cursor, in characters. */
export const MAX_ID_LENGTH = 1024;

/** Maximum size of the incomplete events that a client holds, on all streams of a connection (64 MiB). */
export const MAX_INCOMPLETE_EVENT_BYTES = 64 * 1024 * 1024;
