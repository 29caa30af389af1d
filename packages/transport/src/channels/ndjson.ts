import { MAX_ID_DIGITS, type Message } from "../channel.js";
import { AcpError } from "../errors.js";
import { receivedExcess, sentExcess } from "./json-bounds.js";

/** Default size of the longest incoming line, in bytes (32 MiB). A longer line closes the channel as `frame`. */
export const frameLimit = 32 * 1024 * 1024;

/**
 * Parses one line like `JSON.parse`, except that ids beyond 2^53 become `bigint`s. These ids are:
 * - the `id` of a message, also in an array of messages;
 * - `params.requestId` of a `$/cancel_request`.
 *
 * @throws SyntaxError if the text is not JSON
 * @throws AcpError `too_large` if it has more than 200 000 values, or more than 1 000 lists or objects inside of each other
 */
export function parseLine(line: string): unknown {
  // Some programs on Windows open their stdout with a byte order mark.
  const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  const excess = receivedExcess(text);
  if (excess !== undefined) throw new AcpError("too_large", excess);
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value) ? value.some(hasInexactId) : hasInexactId(value)) {
    // `places` is the message with an index into `numbers` in place of each long number. Numbers inside strings are
    // replaced too. This does no harm, because only ids are read from `places`.
    const numbers: string[] = [];
    const places: unknown = JSON.parse(text.replace(longNumber, (digits) => String(numbers.push(digits) - 1)));
    if (Array.isArray(value))
      for (const [at, entry] of value.entries()) restoreIds(entry, (places as Ids[])[at], numbers);
    else restoreIds(value as Ids, places as Ids, numbers);
  }
  return value;
}

const CANCEL = "$/cancel_request";

/** A number that begins with at least 16 digits. */
const longNumber = /(?<![\w.+-])-?\d{16}[\d.eE+-]*/g;

/** Members of a message that may contain ids. */
type Ids = { id?: unknown; method?: unknown; params?: { requestId?: unknown } | null } | null;

const isInexact = (value: unknown): boolean => typeof value === "number" && !Number.isSafeInteger(value);

function hasInexactId(value: unknown): boolean {
  const message = value as Ids;
  return isInexact(message?.id) || (message?.method === CANCEL && isInexact(message.params?.requestId));
}

function restoreIds(message: Ids, places: Ids | undefined, numbers: readonly string[]): void {
  if (!message || !hasInexactId(message)) return;
  if (isInexact(message.id)) message.id = integer(numbers[places?.id as number]) ?? message.id;
  const { params } = message;
  if (message.method !== CANCEL || !params || !isInexact(params.requestId)) return;
  params.requestId = integer(numbers[places?.params?.requestId as number]) ?? params.requestId;
}

/** Returns the integer, or `undefined` if it has more digits than an id may have. */
function integer(digits = ""): bigint | undefined {
  return /^-?\d+$/.test(digits) && digits.replace("-", "").length <= MAX_ID_DIGITS ? BigInt(digits) : undefined;
}

/**
 * Serialises one message as one line, without a line end. `bigint` ids become numbers.
 *
 * @throws TypeError if JSON cannot express the message, because it has a cycle, or a `bigint` that is not an id
 * @throws AcpError `too_large` for a message with more than 199 000 values, or more than 1 000 lists or objects inside of each other
 */
export function serialise(message: Message): string {
  const text = jsonOf(message);
  const excess = sentExcess(text);
  if (excess === undefined) return text;
  const what = "method" in message ? message.method : "An answer";
  throw new AcpError("too_large", `${what} was not sent: ${excess}.`);
}

/**
 * Serialises one message, however deep it is.
 *
 * @throws TypeError if JSON cannot express the message
 */
export function jsonOf(message: Message): string {
  if ("id" in message && typeof message.id === "bigint") {
    const { id, ...rest } = message;
    return withDigits("id", id, rest);
  }
  if ("method" in message && message.method === CANCEL) {
    const requestId = (message.params as { requestId?: unknown } | undefined)?.requestId;
    if (typeof requestId === "bigint") {
      const { requestId: _, ...params } = message.params as object & { requestId: bigint };
      return `{"jsonrpc":"2.0","method":"${CANCEL}","params":${withDigits("requestId", requestId, params)}}`;
    }
  }
  return JSON.stringify(message);
}

function withDigits(key: string, digits: bigint, rest: object): string {
  const body = JSON.stringify(rest);
  return `{"${key}":${digits}${body === "{}" ? "}" : `,${body.slice(1)}`}`;
}
