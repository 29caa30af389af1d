import type { Message } from "../message.js";
import { serialise } from "./ndjson.js";

type Members = { readonly [key: string]: unknown };

/** One object on the way to the text in which messages differ: its keys, their values, and which of them leads on. */
type Level = { readonly keys: readonly string[]; readonly values: readonly unknown[]; readonly place: number };

/** Messages that are like the one before: how they are written in front of the text in which they differ, and behind it. */
type Shape = { readonly levels: readonly Level[]; readonly head: string; readonly tail: string };

/** Stands for the text that differs while it is found out what stands around it. */
const MARK = "\u0000turnkit";
/** Where messages are hardly ever alike, so many are written between two attempts to find what they have in common. */
const MOST_PATIENCE = 256;

/**
 * Writes messages as `serialise` does, in less time where only one text differs from message to message, as when one is
 * streamed: then only that text is made JSON. A small update takes 0.3 µs instead of 1.0 µs, which was a third of all
 * that an agent does for it.
 */
export class MessageWriter {
  #shape: Shape | undefined;
  /** The message before, unless the shape was fit for it. */
  #before: Message | undefined;
  #patience = 1;
  /** How many messages are written before the next attempt to find a shape. */
  #wait = 1;
  readonly #end: string;

  /** `end` is what stands behind every message: a line end where messages are lines. */
  constructor(end = "") {
    this.#end = end;
  }

  /** @throws TypeError if the message cannot be written as JSON */
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
    // Only notifications repeat. Whoever sent them may still change them: then the shape fits nothing.
    this.#before = "method" in message && !("id" in message) ? message : undefined;
    if (this.#wait > 0 || before === undefined || this.#before === undefined) return;
    const levels = levelsOf(before, message);
    this.#shape = levels && shapeOf(message, levels, this.#end);
    this.#wait = this.#patience;
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE);
  }
}

/** The text of a message that has the shape; `undefined` if it has another one. */
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

/** The way to the only text in which two messages differ; `undefined` if there is more, or something else, that differs. */
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

/** Of anything else, and of what writes itself, `JSON.stringify` knows how it is written. */
const isPlain = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
