import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import { FinalFault, RefusedFault } from "./store.js";

/** Codes of the server for a storage or an account that is full, and for a message that is too large. */
const FULL = new Set([10_002, 10_047, 10_054, 10_077]);

/** Errors of the client after which no request succeeds. */
const CLOSED = new Set([
  "ClosedConnectionError",
  "DrainingConnectionError",
  "PermissionViolationError",
  "AuthorizationError",
]);

/** Returns the failure of a request as a {@link FinalFault} or {@link RefusedFault}, if its outcome is known. */
function failureOf(error: unknown): unknown {
  if (error instanceof JetStreamApiError) {
    const { code, status, message } = error;
    const isRefused =
      code === JetStreamApiCodes.StreamWrongLastSequence || code === JetStreamApiCodes.StreamWrongLastSequenceUnknown;
    if (isRefused) return new RefusedFault(message, { cause: error });
    const isFinal = FULL.has(code) || (status >= 400 && status < 500 && status !== 408);
    return isFinal ? new FinalFault(message, { cause: error }) : error;
  }
  if (error instanceof Error && CLOSED.has(error.name)) return new FinalFault(error.message, { cause: error });
  return error;
}

/** Waits for a request, and converts its failure. */
export async function requested<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Returns true for a failure of servers that have no leader at the moment, or that did not answer in time. A server that starts
 * may not know a stream that was just made.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError)
    return error.status === 503 || error.code === JetStreamApiCodes.StreamNotFound;
  const { name, message } = error as { readonly name?: string; readonly message?: string };
  return name === "TimeoutError" || message === "timeout";
}
