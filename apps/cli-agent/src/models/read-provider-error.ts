import { asSentence } from "@turnkit/transport";
import type { APICallError } from "ai";
import { ModelError, type ModelErrorCode } from "../errors.js";

/** Largest length of a provider's message, in characters. Some providers answer with a whole web page. */
const MAX_MESSAGE = 1_000;

/** Provider that got the request, its key, and the remedy for a refused key. No message may contain the key. */
export type Asked = { readonly provider: string; readonly key: string | undefined; readonly keyAdvice: string };

/**
 * Members of the AI SDK's error that this file reads. An error is recognised by these members, so the SDK need not be
 * loaded.
 */
type CallError = Pick<Error, "message"> &
  Partial<Pick<APICallError, "statusCode" | "responseHeaders" | "responseBody" | "cause">>;

/**
 * Converts an error of the AI SDK to a {@link ModelError}. The original error is not attached as `cause`, because it
 * contains the whole request.
 *
 * @param now milliseconds since 1970; needed for a `Retry-After` header with a date
 */
export function readProviderError(error: unknown, asked: Asked, now: number): ModelError {
  const { provider, key } = asked;
  if (error instanceof ModelError) return error;
  const call = toCallError(error);
  const status = call.statusCode;
  const said = withoutKey(messageOf(call), key).slice(0, MAX_MESSAGE);
  const code = codeOf(status, `${said} ${call.responseBody ?? ""}`);
  const retryAfterMs = retryAfter(call.responseHeaders, now);
  const answered =
    status === undefined || status === 200 ? `${provider} could not be asked` : `${provider} answered ${status}`;
  return new ModelError(`${answered}: ${withAdvice(said, adviceFor(code, asked, retryAfterMs))}`, {
    ...{ code, provider, status, retryAfterMs },
  });
}

/**
 * Reads an error of any shape. In the middle of a stream, some providers send an object, and other providers send a
 * string.
 */
function toCallError(error: unknown): CallError {
  if (error instanceof Error) return error as CallError;
  if (typeof error === "string") return { message: error };
  const { message, type, code, error: inner } = (error ?? {}) as Record<string, unknown>;
  if (typeof inner === "object" && inner !== null) return toCallError(inner);
  if (typeof message !== "string") return { message: JSON.stringify(error) ?? "unknown error" };
  const status =
    typeof code === "number" ? code : type === "overloaded_error" ? 529 : type === "rate_limit_error" ? 429 : undefined;
  return { message, statusCode: status };
}

/** Messages of the AI SDK and of fetch when the connection breaks during the answer. */
const BROKEN = ["Failed to process successful response", "terminated"];

function messageOf({ message, cause }: CallError): string {
  const reason = cause instanceof Error ? cause.message : undefined;
  const said = message.trim() || "no reason given";
  const text = BROKEN.includes(said) ? "the connection broke during the answer" : said;
  return reason && !text.includes(reason) ? `${text} (${reason})` : text;
}

function codeOf(status: number | undefined, text: string): ModelErrorCode {
  if (status === 401 || status === 403) return "login";
  if (status === 429) return "rate_limit";
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return "overloaded";
  if (isTooLong(text) && (status === 400 || status === 413 || status === undefined)) return "context";
  // Status 200 means that the connection broke during the answer.
  return status === undefined || status === 200 ? "connection" : "request";
}

/**
 * Returns `true` if a message means that the conversation is too long. Most providers have no error code for this
 * failure.
 */
function isTooLong(text: string): boolean {
  return /context_length_exceeded|context (length|window)|prompt is too long|too many (input )?tokens|maximum context|input token count/i.test(
    text,
  );
}

function withAdvice(said: string, advice: string): string {
  return advice === "" ? said : `${asSentence(said)} ${advice}`;
}

function adviceFor(code: ModelErrorCode, { keyAdvice }: Asked, retryAfterMs = 0): string {
  if (retryAfterMs >= 60_000) return `It asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes.`;
  if (code === "login") return keyAdvice;
  if (code === "context") return "Shorten the conversation with /compact, or begin a new session.";
  return "";
}

/** Returns the requested delay in milliseconds, from `retry-after-ms` or from `Retry-After` (seconds or a date). */
function retryAfter(headers: CallError["responseHeaders"], now: number): number | undefined {
  const exact = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const value = headers?.["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function withoutKey(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, "[key]") : text;
}
