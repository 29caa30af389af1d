/**
 * An event for the log that no failed call reports. It names methods, codes and keys. It never contains params, results
 * or error data, which may hold secrets.
 */
// V1-RPC-24
export type Diagnostic = {
  readonly code:
    | "invalid_line"
    | "invalid_message"
    | "unknown_response"
    | "dropped"
    | "too_many_requests"
    | "listener_failed"
    | "listener_stuck"
    | "notification_failed"
    | "outgoing_invalid"
    | "log_failed"
    | "loss";
  /** One sentence: the event, and how it was handled. */
  readonly message: string;
  readonly method?: string;
  readonly sessionId?: string;
  readonly error?: unknown;
};
