import type { Message } from "../channel.js";
import { serialise } from "./ndjson.js";

type Members = { readonly [key: string]: unknown };

/** Object on the path to the string that differs: its keys, its values, and the index of the key on the path. */
type Level = { readonly keys: readonly string[]; readonly values: readonly unknown[]; readonly place: number };

/** Shape of messages that differ only in one string. */
type Shape = { readonly levels: readonly Level[]; readonly head: string; readonly tail: string };

/** Placeholder for the string. It is used to find the JSON before and after the string. */
const MARK = "\u0000turnkit";
/** Maximum number of messages between two searches for a shape. The interval doubles until a message matches. */
const MOST_PATIENCE = 256;

/**
 * Serialiser that is faster than `serialise` for streamed messages. If messages differ only in one string value, it
 * serialises only this string. A small update takes 0.3 µs instead of 1.0 µs.
 */
export class MessageWriter {
  #shape: Shape | undefined;
  /** The last message, if it is a notification that did not match the shape. */
  #before: Message | undefined;
  #patience = 1;
  /** Number of messages before the next search for a shape. */
  #wait = 1;
  readonly #end: string;

  /** Creates a serialiser. `end` is appended to every message, for example a line end. */
  constructor(end = "") {
    this.#end = end;
  }

  /**
   * Serialises one message.
   *
   * @throws TypeError if JSON cannot express the message
   */
  write(message: Message): string {
    const shape = this.#shape;
    const text = shape && textIn(message, shape.levels);
    if (shape !== undefined && text !== undefined) {
      this.#patience = 1;
      return shape.head + JSON.stringify(text) + shape.tail;
    }
    const line = serialise(message);
    this.#compare(message);
    return line + this.#end;
  }

  #compare(message: Message): void {
    const before = this.#before;
    this.#wait -= 1;
    // Only notifications have a shape. If the sender changes the object later, no message matches the shape, and
    // nothing else happens.
    this.#before = "method" in message && !("id" in message) ? message : undefined;
    if (this.#wait > 0 || before === undefined || this.#before === undefined) return;
    const levels = levelsOf(before, message);
    this.#shape = levels && shapeOf(message, levels, this.#end);
    this.#wait = this.#patience;
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE);
  }
}

/**
 * Creates a function that serialises like `serialise`. Notifications that differ only in one text take a third of the time.
 *
 * The function throws the errors of `serialise`.
 */
export function createSerialiser(): (message: Message) => string {
  const writer = new MessageWriter();
  return (message) => writer.write(message);
}

/** Returns the string that differs. Returns `undefined` if the message does not match the shape. */
function textIn(message: unknown, levels: readonly Level[]): string | undefined {
  let node = message;
  for (const { keys, values, place } of levels) {
    if (!isPlain(node)) return undefined;
    let at = 0;
    for (const key in node) {
      if (keys[at] !== key || (at !== place && node[key] !== values[at])) return undefined;
      at += 1;
    }
    if (at !== keys.length) return undefined;
    node = node[keys[place] as string];
  }
  return typeof node === "string" ? node : undefined;
}

/** Returns the path to the only string that differs in two messages. Returns `undefined` if other values differ too. */
function levelsOf(one: unknown, other: unknown): readonly Level[] | undefined {
  const levels: Level[] = [];
  let [left, right] = [one, other];
  while (isPlain(left) && isPlain(right)) {
    const keys = Object.keys(right);
    const before: Members = left;
    const values = Object.values(right);
    const differing = keys.filter((key, at) => before[key] !== values[at]);
    const [key] = differing;
    const place = keys.indexOf(key as string);
    const isFlat = values.every(
      (value, at) => at === place || (typeof value !== "object" && typeof value !== "function"),
    );
    if (key === undefined || differing.length > 1 || !isFlat) return undefined;
    levels.push({ keys, values: values.map((value, at) => (at === place ? undefined : value)), place });
    [left, right] = [before[key], values[place]];
  }
  return typeof left === "string" && typeof right === "string" ? levels : undefined;
}

function shapeOf(message: Message, levels: readonly Level[], end: string): Shape | undefined {
  const marked = (node: unknown, depth: number): unknown => {
    const level = levels[depth];
    if (level === undefined) return MARK;
    const key = level.keys[level.place] as string;
    return { ...(node as Members), [key]: marked((node as Members)[key], depth + 1) };
  };
  const [head, tail, ...others] = JSON.stringify(marked(message, 0)).split(JSON.stringify(MARK));
  return head === undefined || tail === undefined || others.length > 0 ? undefined : { levels, head, tail: tail + end };
}

/** Returns `true` for plain objects. Other objects could have a prototype with `toJSON`. */
const isPlain = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
