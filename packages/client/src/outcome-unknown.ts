import type { ContentBlock, Meta } from "@turnkit/session";
import { type CloseReason, ConnectionClosedError, isAcpError } from "@turnkit/transport";
import { keyOf, type RetryClass, retryClass } from "./retry-class.js";

/** Content and metadata of a prompt, as the program submitted them. */
export type SubmittedPrompt = { readonly prompt: readonly ContentBlock[]; readonly _meta?: Meta };

/** Request without an answer. */
export type LostRequest = {
  readonly method: string;
  readonly params: unknown;
  readonly version: number;
  /** True if the person has cancelled the request. `retry` is then `never`. */
  readonly isCancelled?: boolean;
  readonly submitted?: SubmittedPrompt;
};

/**
 * Error of a request that was sent, and whose connection ended before the answer. The agent may have done the work. `retry`
 * is the rule for sending the request again.
 */
// P-RETRY-05
export class OutcomeUnknownError extends ConnectionClosedError {
  readonly kind = "outcome-unknown";
  readonly method: string;
  readonly retry: RetryClass;
  /** Key of a prompt. Send the same key with each further attempt. */
  readonly idempotencyKey: string | undefined;
  /** Prompt to send again. Do not use the message of the state: the agent may have echoed only a part, or other words. */
  // P-IDEM-03
  declare readonly submitted: SubmittedPrompt | undefined;

  constructor({ method, params, version, isCancelled = false, submitted }: LostRequest, reason: CloseReason) {
    super(method, reason);
    this.method = method;
    this.retry = isCancelled ? "never" : retryClass(method, params, version);
    this.idempotencyKey = keyOf(params);
    // Not enumerable, so that consoles do not print the prompt.
    Object.defineProperty(this, "submitted", { value: submitted });
  }
}

/** Returns `true` for an {@link OutcomeUnknownError}. Works across copies of this package. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknownError {
  return isAcpError(error, "connection_closed") && (error as Partial<OutcomeUnknownError>).kind === "outcome-unknown";
}

/**
 * Returns the error of a request whose answer was lost. Other errors than the loss of a connection are returned
 * unchanged.
 */
export function outcomeUnknown(error: unknown, request: LostRequest): unknown {
  if (!isAcpError(error, "connection_closed") || isOutcomeUnknown(error)) return error;
  const { reason } = error as ConnectionClosedError;
  return reason === undefined ? error : new OutcomeUnknownError(request, reason);
}
