/** Place of a value in a message, with the outermost key first, such as `["update", "content", 0, "text"]`. */
export type Path = readonly (string | number)[];

/** Remark or issue about one place in a message. It never contains the value. */
export interface Note {
  /** Place of the value, with the outermost key first. */
  readonly path: Path;
  /** Expected value, and kind of the actual value. */
  readonly message: string;
}

/** Unfinished note. Readers add their keys from the innermost to the outermost, so its path is in reverse order. */
export interface OpenNote {
  readonly about: "issue" | "salvaged" | "unrecognized";
  readonly reversed: (string | number)[];
  readonly message: string;
}

/** Result of a reader that could not read its value. The reader has then added at least one issue. */
export const INVALID: unique symbol = Symbol("invalid");

/** Function that reads one value. It returns the value itself, a corrected copy, or {@link INVALID}. */
export type Read = (value: unknown, notes: OpenNote[]) => unknown;

/** Maximum number of remarks about one message. It limits the memory that a hostile peer can use. */
const MOST_REMARKS = 100;

/** Adds an issue about the value, or about a part of the value. Returns {@link INVALID}. */
export function invalid(notes: OpenNote[], expected: string, found: unknown, reversed: string[] = []): typeof INVALID {
  return refused(notes, `expected ${expected}, got ${kindOf(found)}`, reversed);
}

/** Adds an issue with this message. Returns {@link INVALID}. */
export function refused(notes: OpenNote[], message: string, reversed: string[] = []): typeof INVALID {
  notes.push({ about: "issue", reversed, message });
  return INVALID;
}

/**
 * Adds a remark about a value that was corrected, or about an unknown value. Remarks beyond the maximum are dropped.
 */
export function remark(
  notes: OpenNote[],
  about: "salvaged" | "unrecognized",
  message: string,
  reversed: string[] = [],
): void {
  if (notes.length < MOST_REMARKS) notes.push({ about, reversed, message });
}

/** Returns a reader that replaces an invalid value with `otherwise`, and the value's issues with one remark. */
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

/** Reads the value at `key`, and adds the key to the paths of its notes. */
export function readBelow(read: Read, value: unknown, key: string | number, notes: OpenNote[]): unknown {
  const mark = notes.length;
  const out = read(value, notes);
  for (let index = mark; index < notes.length; index++) notes[index]?.reversed.push(key);
  return out;
}

/** Returns the finished notes of one kind, or `undefined` if there are none of this kind. */
export function notesOfKind(notes: readonly OpenNote[], about: OpenNote["about"]): Note[] | undefined {
  const found = notes.filter((note) => note.about === about);
  if (found.length === 0) return undefined;
  return found.map(({ reversed, message }) => ({ path: reversed.toReversed(), message }));
}

/**
 * Returns the kind of a value. The value itself is never part of a note, because it may be a secret and notes are
 * logged.
 */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "number" && !Number.isFinite(value) ? "a number that is not finite" : `a ${typeof value}`;
}
