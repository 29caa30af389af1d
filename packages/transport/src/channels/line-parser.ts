import { parseLine } from "./ndjson.js";

/**
 * Lines that are like the one before: what stands before and behind the text in which they differ, and the message with
 * the way to that text.
 */
type Shape = {
  readonly head: string;
  readonly tail: string;
  readonly message: object;
  readonly path: readonly string[];
};

/** Stands for the text that differs while the way to it is looked for. */
const MARK = "\u0000turnkit";
/** In a longer line the frame does not matter. */
const MOST_LENGTH = 1024;
/** Where lines are hardly ever alike, so many are read between two attempts to find what they have in common. */
const MOST_PATIENCE = 256;

/**
 * Reads lines as `parseLine` does, in less time where only one text differs from line to line, as in a message that is
 * streamed: then only that text is parsed. A small update takes 0.4 µs instead of 0.9 µs, which was a third of all that
 * a client does for it.
 */
export class LineParser {
  #shape: Shape | undefined;
  /** The line before, unless the shape was fit for it. */
  #before = "";
  /** How many lines are read before the next attempt to find a shape. */
  #patience = 1;
  #wait = 1;

  /** @throws SyntaxError if the line is no JSON */
  parse(line: string): unknown {
    const differing = this.#shape && differingText(this.#shape, line);
    if (differing !== undefined) {
      try {
        const message = withText(this.#shape as Shape, JSON.parse(differing));
        this.#patience = 1;
        return message;
      } catch {
        // More than one value differs. So may many lines that follow, and to read each of them twice would cost more than
        // the shape saves.
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

/** What a line says between head and tail of a shape; `undefined` if it has others. */
function differingText({ head, tail }: Shape, line: string): string | undefined {
  const end = line.length - tail.length;
  // Equality is looked at in words, `startsWith` character by character: 0.05 µs instead of 1.5 µs.
  if (end <= head.length || line.slice(0, head.length) !== head || line.slice(end) !== tail) return undefined;
  return line.slice(head.length, end);
}

/** The message of a shape with another value. */
const withText = ({ message, path }: Shape, value: unknown): unknown => replaced(message, path, 0, value);

/** A copy that shares no object with the original: beside the path there is none. */
function replaced(node: object, path: readonly string[], depth: number, value: unknown): unknown {
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as { [key: string]: unknown };
  const key = path[depth] as string;
  copy[key] = depth === path.length - 1 ? value : replaced(copy[key] as object, path, depth + 1, value);
  return copy;
}

/** What two lines have in common that differ in one text; it holds for every line that is read by it. */
function shapeOf(one: string, other: string): Shape | undefined {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 1;
  while (end <= other.length && one.at(-end) === other.at(-end)) end++;
  const open = other.lastIndexOf('"', start - 1);
  const close = other.indexOf('"', Math.max(other.length - end + 1, open + 1));
  if (open < 0 || close < 0) return undefined;
  // Not slices, which would keep all that came in one chunk with them.
  const head = JSON.parse(JSON.stringify(other.slice(0, open))) as string;
  const tail = JSON.parse(JSON.stringify(other.slice(close + 1))) as string;
  try {
    const message: unknown = parseLine(head + JSON.stringify(MARK) + tail);
    if (!mayRepeat(message)) return undefined;
    const path = pathTo(MARK, message);
    return path && { head, tail, message, path };
  } catch {
    // They differ in something else than a text.
    return undefined;
  }
}

/** Only notifications do, and one of them has an id that is no text. */
const mayRepeat = (message: unknown): message is object =>
  typeof message === "object" &&
  message !== null &&
  "method" in message &&
  !("id" in message) &&
  message.method !== "$/cancel_request";

/** The way to a text; `undefined` if it is not there or not on the only way down. */
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
