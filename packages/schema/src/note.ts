/** Place of a value in a message, outermost key first: `["update", "content", 0, "text"]`. */
export type Path = readonly (string | number)[];

/** Something that reading a message had to say about one place in it. It never quotes the value found there. */
export interface Note {
  /** The place, outermost key first. */
  readonly path: Path;
  /** Value that was expected, and kind of the value found. */
  readonly message: string;
}

/**
 * A note while it is collected. The path grows from the inside out, so it is stored in reverse: an object pays for paths
 * only when there is something to tell.
 */
export interface OpenNote {
  readonly about: "issue" | "salvaged" | "unrecognized";
  readonly reversed: (string | number)[];
  readonly message: string;
}

/** Result of a reader that could not read its value. The reader has then added at least one issue. */
export const INVALID: unique symbol = Symbol("invalid");

/** Reads one value: returns it untouched, a corrected copy, or {@link INVALID}. */
export type Read = (value: unknown, notes: OpenNote[]) => unknown;

/** More than this many remarks about one message help nobody, and a hostile peer must not make us store them. */
const MOST_REMARKS = 100;

/** Adds an issue about the value that is being read, or what is below it, and says that it is invalid. */
export function invalid(notes: OpenNote[], expected: string, found: unknown, reversed: string[] = []): typeof INVALID {
  return refused(notes, `expected ${expected}, got ${kindOf(found)}`, reversed);
}

/** The same in words of one's own. */
export function refused(notes: OpenNote[], message: string, reversed: string[] = []): typeof INVALID {
  notes.push({ about: "issue", reversed, message });
  return INVALID;
}

/** Remarks on a value that was corrected, or is kept although nobody here knows it. */
export function remark(
  notes: OpenNote[],
  about: "salvaged" | "unrecognized",
  message: string,
  reversed: string[] = [],
): void {
  if (notes.length < MOST_REMARKS) notes.push({ about, reversed, message });
}

/** Reads, but what is invalid is taken for something else; the issues become one remark, and the first of them says why. */
export function salvaging(read: Read, otherwise: unknown): Read {
  return (value, notes) => {
    const mark = notes.length;
    const out = read(value, notes);
    if (out !== INVALID) return out;
    const cause = notes.slice(mark).find(({ about }) => about === "issue");
    notes.length = mark;
    const inner = cause?.reversed.length ? `${cause.reversed.toReversed().join(".")}: ` : "";
    remark(notes, "salvaged", inner + (cause?.message ?? "expected another value"));
    return otherwise;
  };
}

/** Reads what is below `key`, and makes its notes say so. */
export function readBelow(read: Read, value: unknown, key: string | number, notes: OpenNote[]): unknown {
  const mark = notes.length;
  const out = read(value, notes);
  for (let index = mark; index < notes.length; index++) notes[index]?.reversed.push(key);
  return out;
}

/** The finished notes of one sort, or nothing when there are none. */
export function finished(notes: readonly OpenNote[], about: OpenNote["about"]): Note[] | undefined {
  const found = notes.filter((note) => note.about === about);
  if (found.length === 0) return undefined;
  return found.map(({ reversed, message }) => ({ path: reversed.toReversed(), message }));
}

/** Values are never quoted: a message may hold secrets, and its notes end up in logs. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "number" && !Number.isFinite(value) ? "a number that is not finite" : `a ${typeof value}`;
}
