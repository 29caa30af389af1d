/**
 * What went wrong at a provider: `login` (no key, or one that it refuses), `rate_limit`, `overloaded` (its own failure),
 * `context` (the conversation is too long for the model), `connection`, `broken_off` (in the middle of an answer),
 * `request` (everything else that it refuses).
 */
export type ModelErrorCode =
  | "login"
  | "rate_limit"
  | "overloaded"
  | "context"
  | "connection"
  | "broken_off"
  | "request";

/** Details of a failure. `retryAfterMs` is what the provider asks for; `provider` is its name as the user knows it. */
export type ModelErrorDetails = {
  readonly code: ModelErrorCode;
  readonly provider: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
};

/** A provider did not answer. The message tells who, with what status, and what it said; it never holds the key. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly provider: string;
  readonly status?: number;
  readonly retryAfterMs?: number;

  constructor(message: string, { code, provider, status, retryAfterMs }: ModelErrorDetails) {
    super(message);
    this.name = "ModelError";
    this.code = code;
    this.provider = provider;
    if (status !== undefined) this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later, without anybody doing anything. */
  get passes(): boolean {
    return this.code === "rate_limit" || this.code === "overloaded" || this.code === "connection";
  }
}
