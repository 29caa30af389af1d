/**
 * Error in the user's configuration, command line, environment or files. The message contains the place, the fault and
 * a remedy.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reason for the failure of a tool, as a code for programs. */
export type ToolFailureCode =
  | "not_found"
  | "directory"
  | "binary"
  | "too_large"
  | "outside"
  | "unreadable"
  | "unsupported"
  | "invalid_input"
  | "no_match"
  | "stale"
  | "denied"
  | "cancelled"
  | "failed";

/** Failure of a tool call. The message is one sentence for the model and the user. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolFailureCode;

  constructor(code: ToolFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Kind of a provider's failure:
 *
 * - `login`: the key is missing or refused
 * - `rate_limit`
 * - `overloaded`: the provider itself failed
 * - `context`: the conversation is too long for the model
 * - `connection`
 * - `broken_off`: the answer ended in the middle
 * - `request`: every other refusal
 */
export type ModelErrorCode =
  | "login"
  | "rate_limit"
  | "overloaded"
  | "context"
  | "connection"
  | "broken_off"
  | "request";

/**
 * Failure of a provider. The message contains the provider's name, the HTTP status and the provider's message. It never
 * contains the key.
 */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly provider: string;
  readonly status?: number;
  /** Delay in milliseconds after which the provider accepts another request, according to the provider. */
  readonly retryAfterMs?: number;

  constructor(
    message: string,
    { code, provider, status, retryAfterMs }: Pick<ModelError, "code" | "provider" | "status" | "retryAfterMs">,
  ) {
    super(message);
    this.code = code;
    this.provider = provider;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** `true` if the same request may succeed later without an action of the user. */
  get isTemporary(): boolean {
    return this.code === "rate_limit" || this.code === "overloaded" || this.code === "connection";
  }
}

/** Returns the message of an error, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Size of the largest file that is read, in bytes. */
export const MAX_BYTES = 1024 * 1024;

export function outside(name: string): ToolError {
  return new ToolError("outside", `\`${name}\` is outside the folders of this session.`);
}

export function notFound(name: string): ToolError {
  return new ToolError("not_found", `\`${name}\` does not exist.`);
}

export function binary(name: string): ToolError {
  return new ToolError("binary", `\`${name}\` is not a text file.`);
}

export function tooLarge(name: string, bytes: number): ToolError {
  const size = (Math.ceil((bytes / MAX_BYTES) * 10) / 10).toFixed(1);
  return new ToolError("too_large", `\`${name}\` has ${size} MB; files up to ${MAX_BYTES / 1024 / 1024} MB are read.`);
}
