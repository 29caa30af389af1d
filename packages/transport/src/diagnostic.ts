/**
 * Something worth a log line that is nobody's failed call. It names methods, codes and keys and never carries params,
 * results or error data: those may hold secrets (V1-RPC-24).
 */
export type Diagnostic = {
  readonly code:
    | "invalid_line"
    | "invalid_message"
    | "unknown_response"
    | "dropped"
    | "listener_failed"
    | "listener_stuck"
    | "notification_failed"
    | "outgoing_invalid"
    | "log_failed"
    | "loss";
  /** One sentence: what happened and what was done about it. */
  readonly message: string;
  readonly method?: string;
  readonly sessionId?: string;
  readonly error?: unknown;
};
