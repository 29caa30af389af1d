import type { Receiver } from "../channel.js";
import { isAcpError } from "../errors.js";
import { parseLine } from "./ndjson.js";

/**
 * Shape of lines that differ only in one string value. `head` and `tail` are the text before and after this string.
 * `message` is the parsed line, and `path` is the list of keys that lead to the string.
 */
type Shape = {
  readonly head: string;
  readonly tail: string;
  readonly message: object;
  readonly path: readonly string[];
};

/** Placeholder for the string. It is used to find the path of the string in the parsed message. */
const MARK = "\u0000turnkit";
/** Maximum length of lines that are compared. For longer lines, a shape saves no time. */
const MOST_LENGTH = 1024;
/** Maximum number of lines between two searches for a shape. The interval doubles until a line matches. */
const MOST_PATIENCE = 256;

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Pattern of texts that may be JSON. They are the start of an object or array, or another complete value. A byte order
 * mark and spaces may come first.
 */
const mayBeJson = /^\ufeff?[ \t\r]*(?:[{[]|(?:-?\d[\d.eE+-]*|true|false|null|".*")[ \t\r]*$)/s;

/**
 * Parser that is faster than `parseLine` for streamed messages. If lines differ only in one string value, it parses
 * only this string and copies the other values. A small update takes 0.4 µs instead of 0.9 µs.
 */
export class LineParser {
  #shape: Shape | undefined;
  /** The last line that did not match the shape. */
  #before = "";
  /** Number of lines between two searches for a shape. */
  #patience = 1;
  #wait = 1;

  /** Delivers one line as a message or as an invalid line. A blank line is ignored. */
  deliver(line: string, bytes: number, receiver: Receiver): void {
    // Creating a `SyntaxError` takes 5 µs. The pattern avoids a `SyntaxError` for blank lines and most lines of a log.
    if (line === "" || (line.charCodeAt(0) === OPEN_BRACE ? !isClosed(line) : !mayBeJson.test(line)))
      return deliverInvalid(line, receiver);
    let message: unknown;
    try {
      message = this.parse(line);
    } catch (error) {
      return deliverInvalid(line, receiver, isAcpError(error) ? error.message : undefined);
    }
    receiver.message(message, bytes);
  }

  /**
   * Parses one line.
   *
   * @throws SyntaxError if the line is not JSON
   * @throws AcpError `too_large` if it has too many values, or too many levels of nesting
   */
  parse(line: string): unknown {
    const differing = this.#shape && differingText(this.#shape, line);
    if (differing !== undefined) {
      try {
        const message = withText(this.#shape as Shape, JSON.parse(differing));
        this.#patience = 1;
        return message;
      } catch {
        // More than one value differs, and perhaps also in the next lines. Without a shape, each of these lines
        // is parsed once and not twice.
        this.#shape = undefined;
      }
    }
    const message = parseLine(line);
    this.#compare(line);
    return message;
  }

  #compare(line: string): void {
    const before = this.#before;
    this.#before = line.length > MOST_LENGTH ? "" : line;
    this.#wait -= 1;
    if (this.#wait > 0 || before === "" || this.#before === "") return;
    this.#shape = shapeOf(before, line);
    this.#wait = this.#patience;
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE);
  }
}

/**
 * Creates a function that parses like `parseLine`. Messages that differ only in one text take half the time.
 *
 * The function throws the errors of `parseLine`.
 */
export function createLineParser(): (line: string) => unknown {
  const parser = new LineParser();
  return (line) => parser.parse(line);
}

/** Returns `true` if the last character of a line, apart from white space, closes an object. */
function isClosed(line: string): boolean {
  if (line.charCodeAt(line.length - 1) === CLOSE_BRACE) return true;
  return line.charCodeAt(line.trimEnd().length - 1) === CLOSE_BRACE;
}

function deliverInvalid(line: string, receiver: Receiver, excess?: string): void {
  if (line.trim() !== "") receiver.invalidLine(line.slice(0, 200).trimEnd(), excess);
}

/**
 * Returns the part of a line between `head` and `tail`. Returns `undefined` if the line does not match the shape, and
 * if the part does not begin a string, because the depth of other values must be checked.
 */
function differingText({ head, tail }: Shape, line: string): string | undefined {
  const end = line.length - tail.length;
  // This comparison takes 0.05 µs. `startsWith` takes 1.5 µs, because it compares single characters.
  if (end <= head.length || line.slice(0, head.length) !== head || line.slice(end) !== tail) return undefined;
  if (line.charCodeAt(head.length) !== QUOTE) return undefined;
  return line.slice(head.length, end);
}

/** Returns a copy of the message with `value` at the path of the shape. */
const withText = ({ message, path }: Shape, value: unknown): unknown => replaced(message, path, 0, value);

/** Returns a deep copy of `node` with another value at `path`. `node` contains no objects except those on the path. */
function replaced(node: object, path: readonly string[], depth: number, value: unknown): unknown {
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as { [key: string]: unknown };
  const key = path[depth] as string;
  copy[key] = depth === path.length - 1 ? value : replaced(copy[key] as object, path, depth + 1, value);
  return copy;
}

/** Returns the shape of two lines that differ only in one string value, or `undefined` for other lines. */
function shapeOf(one: string, other: string): Shape | undefined {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 1;
  while (end <= other.length && one.at(-end) === other.at(-end)) end++;
  const open = other.lastIndexOf('"', start - 1);
  const close = other.indexOf('"', Math.max(other.length - end + 1, open + 1));
  if (open < 0 || close < 0) return undefined;
  // The copy is necessary, because a slice would hold the whole chunk in memory.
  const head = JSON.parse(JSON.stringify(other.slice(0, open))) as string;
  const tail = JSON.parse(JSON.stringify(other.slice(close + 1))) as string;
  try {
    const message: unknown = parseLine(head + JSON.stringify(MARK) + tail);
    if (!mayRepeat(message)) return undefined;
    const path = pathTo(MARK, message);
    return path && { head, tail, message, path };
  } catch {
    // The lines do not differ in a string value.
    return undefined;
  }
}

/**
 * Returns `true` for a notification other than `$/cancel_request`. The id in a `$/cancel_request` may be too long for
 * `JSON.parse`.
 */
const mayRepeat = (message: unknown): message is object =>
  typeof message === "object" &&
  message !== null &&
  "method" in message &&
  !("id" in message) &&
  message.method !== "$/cancel_request";

/**
 * Returns the keys that lead to `text`. Returns `undefined` if `text` does not occur exactly once, or if `message`
 * contains objects that are not on the path.
 */
function pathTo(text: string, message: object): readonly string[] | undefined {
  const path: string[] = [];
  for (let node: object | undefined = message; node !== undefined; ) {
    const members: [string, unknown][] = Object.entries(node);
    const [place, ...others] = members.filter(([, value]) => value === text);
    const deeper = members.filter(([, value]) => typeof value === "object" && value !== null);
    if (others.length > 0 || deeper.length > (place === undefined ? 1 : 0)) return undefined;
    const next = place ?? deeper[0];
    if (next === undefined) return undefined;
    path.push(next[0]);
    if (place !== undefined) return path;
    node = next[1] as object;
  }
  return undefined;
}
