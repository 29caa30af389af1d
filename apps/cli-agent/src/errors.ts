import type { ToolFailureCode } from "./model.js";

/** Failure of something that the user configured. The message names the place, the fault and a remedy. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

/** Failure of a tool call, in a sentence for both the model and the user. */
export class ToolError extends Error {
  readonly code: ToolFailureCode;

  constructor(code: ToolFailureCode, message: string) {
    super(message);
    this.name = "ToolError";
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

/** Details of a provider's failure. */
export type ModelErrorDetails = {
  readonly code: ModelErrorCode;
  /** Name of the provider as the user knows it. */
  readonly provider: string;
  readonly status?: number;
  /** Wait that the provider asks for. */
  readonly retryAfterMs?: number;
};

/** Failure of a provider. The message names the provider, its status and its own words, and never holds the key. */
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

  /** `true` if the same request may succeed later without any action of the user. */
  get passes(): boolean {
    return this.code === "rate_limit" || this.code === "overloaded" || this.code === "connection";
  }
}

/** Returns the message of an error, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
