import { MAX_ID_DIGITS, type Message } from "../message.js";

/** Default size of the longest incoming line: 32 MiB. A longer line closes the channel as `frame`. */
export const frameLimit = 32 * 1024 * 1024;

/**
 * Parses one line like `JSON.parse`, except that ids beyond 2^53 become `bigint`s: the `id` of a message, also in an array
 * of messages, and `params.requestId` of a `$/cancel_request`.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseLine(line: string): unknown {
  // Some programs on Windows open their stdout with a byte order mark.
  const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  const value: unknown = JSON.parse(text);
  const start = skipSpace(text, 0);
  if (!Array.isArray(value)) restoreIds(text, start, value);
  else if (value.some(mayHoldInexactId)) forEachElement(text, start, (at, index) => restoreIds(text, at, value[index]));
  return value;
}

function mayHoldInexactId(value: unknown): boolean {
  const message = value as { id?: unknown; method?: unknown } | null;
  return isInexact(message?.id) || message?.method === "$/cancel_request";
}

/** Replaces inexact ids of the message that begins at `start` by exact ones. */
function restoreIds(text: string, start: number, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const message = value as Record<string, unknown>;
  if (isInexact(message.id)) message.id = exactInteger(text, member(text, start, "id")) ?? message.id;
  if (message.method === "$/cancel_request") restoreRequestId(text, start, message.params);
}

/**
 * Serialises one message as one line, without its line end. `bigint` ids become digits.
 *
 * @throws TypeError if JSON cannot express the message: a cycle, or a `bigint` that is no id
 */
export function serialise(message: Message): string {
  if ("id" in message && typeof message.id === "bigint") {
    const { id, ...rest } = message;
    return withDigits("id", id, rest);
  }
  if ("method" in message && message.method === "$/cancel_request") {
    const requestId = (message.params as { requestId?: unknown } | undefined)?.requestId;
    if (typeof requestId === "bigint") {
      const { requestId: _, ...params } = message.params as object & { requestId: bigint };
      return `{"jsonrpc":"2.0","method":"$/cancel_request","params":${withDigits("requestId", requestId, params)}}`;
    }
  }
  return JSON.stringify(message);
}

function withDigits(key: string, digits: bigint, rest: object): string {
  const body = JSON.stringify(rest);
  return `{"${key}":${digits}${body === "{}" ? "}" : `,${body.slice(1)}`}`;
}

function isInexact(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

function restoreRequestId(text: string, start: number, params: unknown): void {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return;
  const target = params as Record<string, unknown>;
  if (!isInexact(target.requestId)) return;
  const outer = member(text, start, "params");
  if (outer === undefined) return;
  target.requestId = exactInteger(text, member(text, outer, "requestId")) ?? target.requestId;
}

function exactInteger(text: string, start: number | undefined): bigint | undefined {
  if (start === undefined) return undefined;
  const digits = text.slice(start, skipValue(text, start));
  if (!/^-?\d+$/.test(digits)) return undefined;
  // A longer one stays infinite, which is no id.
  return digits.replace("-", "").length <= MAX_ID_DIGITS ? BigInt(digits) : undefined;
}

/**
 * Returns the start of the value of `name` in the object that begins at `open`. The last of equal keys counts, as in
 * `JSON.parse`. The text has to be valid JSON.
 */
function member(text: string, open: number, name: string): number | undefined {
  let found: number | undefined;
  let at = skipSpace(text, open + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const raw = text.slice(at, keyEnd);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if ((raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1)) === name) found = value;
    at = skipSpace(text, skipValue(text, value));
    if (text[at] !== ",") break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

/** Calls back with the start of every element of the array that begins at `open`. */
function forEachElement(text: string, open: number, call: (at: number, index: number) => void): void {
  let at = skipSpace(text, open + 1);
  for (let index = 0; at < text.length && text[at] !== "]"; index++) {
    call(at, index);
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function skipString(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    const char = text[at];
    if (char === '"') {
      at = skipString(text, at);
    } else if (char === "{" || char === "[") {
      depth++;
      at++;
    } else if (char === "}" || char === "]") {
      depth--;
      at++;
    } else if (char === "," || char === ":") {
      at++;
    } else if (isSpace(text.charCodeAt(at))) {
      at = skipSpace(text, at);
    } else {
      while (at < text.length && !/[\s,:\]}]/.test(text.charAt(at))) at++;
    }
  } while (depth > 0 && at < text.length);
  return at;
}
