import { ModelError, type ModelErrorCode } from "../errors.js";

/** Characters of a provider's message that are kept: some providers answer with a whole page. */
const MAX_MESSAGE = 1_000;

/** Provider that was asked, and its key, which no message may repeat. */
export type Asked = { readonly provider: string; readonly key: string | undefined };

/**
 * Members of the AI SDK's `APICallError` that are read. They are recognised by shape, so the SDK need not be loaded.
 */
type CallError = {
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string | undefined>>;
  readonly responseBody?: string;
  readonly cause?: unknown;
};

/**
 * Converts an error of the AI SDK to a {@link ModelError}. The original is not kept as a cause, because it holds the
 * whole request.
 *
 * @param now milliseconds since 1970, for a `Retry-After` that is a date
 */
export function readProviderError(error: unknown, { provider, key }: Asked, now: number): ModelError {
  if (error instanceof ModelError) return error;
  const call = toCallError(error);
  const status = call.statusCode;
  const said = withoutKey(messageOf(call), key).slice(0, MAX_MESSAGE);
  const code = codeOf(status, `${said} ${call.responseBody ?? ""}`);
  const retryAfterMs = retryAfter(call.responseHeaders, now);
  const answered =
    status === undefined || status === 200 ? `${provider} could not be asked` : `${provider} answered ${status}`;
  return new ModelError(`${answered}: ${said}${adviceFor(code, retryAfterMs)}`, {
    code,
    provider,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Reads an error of any shape: in the middle of a stream some providers send an object, some a string. */
function toCallError(error: unknown): CallError {
  if (error instanceof Error) return error as CallError;
  if (typeof error === "string") return { message: error };
  const { message, type, code, error: inner } = (error ?? {}) as Record<string, unknown>;
  if (typeof inner === "object" && inner !== null) return toCallError(inner);
  if (typeof message !== "string") return { message: JSON.stringify(error) ?? "unknown error" };
  const status =
    typeof code === "number" ? code : type === "overloaded_error" ? 529 : type === "rate_limit_error" ? 429 : undefined;
  return { message, ...(status === undefined ? {} : { statusCode: status }) };
}

function messageOf({ message, cause }: CallError): string {
  const reason = cause instanceof Error ? cause.message : undefined;
  const text = message.trim() || "no reason given";
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

/** Recognises a conversation that is too long by its message: providers share no code for it, and most have none. */
function isTooLong(text: string): boolean {
  return /context_length_exceeded|context (length|window)|prompt is too long|too many (input )?tokens|maximum context|input token count/i.test(
    text,
  );
}

function adviceFor(code: ModelErrorCode, retryAfterMs = 0): string {
  if (retryAfterMs >= 60_000) return ` It asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes.`;
  if (code === "login") return " Check the key: `turnkit-agent login` stores another one.";
  if (code === "context") return " Shorten the conversation with /compact, or begin a new session.";
  return "";
}

/** Returns the milliseconds of `retry-after-ms` or `Retry-After`, which is a number of seconds or a date. */
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
