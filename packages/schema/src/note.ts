/** Where a value sits in a message, outermost key first: `["update", "content", 0, "text"]`. */
export type Path = readonly (string | number)[];

/** Something that reading a message had to say about one place in it. It never quotes the value found there. */
export interface Note {
  /** The place, outermost key first. */
  readonly path: Path;
  /** What was expected and what kind of thing was found instead. */
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

/** What a reader returns instead of a value when the value cannot be read; it has then added at least one issue. */
export const INVALID: unique symbol = Symbol("invalid");

/** Reads one value: returns it untouched, a corrected copy, or {@link INVALID}. */
export type Read = (value: unknown, notes: OpenNote[]) => unknown;

/** More than this many remarks about one message help nobody, and a hostile peer must not make us store them. */
const MOST_REMARKS = 100;

/** Adds an issue about the value that is being read, and says that it is invalid. */
export function invalid(notes: OpenNote[], expected: string, found: unknown): typeof INVALID {
  notes.push({ about: "issue", reversed: [], message: `expected ${expected}, got ${kindOf(found)}` });
  return INVALID;
}

/** Remarks on a value that is kept although nobody here knows it. */
export function remarkUnrecognized(notes: OpenNote[], what: string, path: (string | number)[] = []): void {
  if (notes.length < MOST_REMARKS) notes.push({ about: "unrecognized", reversed: path, message: what });
}

/** Turns the issues found since `mark` into one remark: the value was replaced, and the first of them says why. */
export function salvage(notes: OpenNote[], mark: number): void {
  const cause = notes.slice(mark).find((note) => note.about === "issue");
  notes.length = mark;
  if (notes.length >= MOST_REMARKS) return;
  const inner = cause === undefined || cause.reversed.length === 0 ? "" : `${cause.reversed.toReversed().join(".")}: `;
  notes.push({ about: "salvaged", reversed: [], message: inner + (cause?.message ?? "expected another value") });
}

/** Says that the notes added since `mark` are about something below `key`. */
export function placeBelow(notes: OpenNote[], mark: number, key: string | number): void {
  for (let index = mark; index < notes.length; index++) notes[index]?.reversed.push(key);
}

/** The finished notes of one sort, or nothing when there are none. */
export function finished(notes: readonly OpenNote[], about: OpenNote["about"]): Note[] | undefined {
  let found: Note[] | undefined;
  for (const note of notes) {
    if (note.about !== about) continue;
    found ??= [];
    found.push({ path: note.reversed.toReversed(), message: note.message });
  }
  return found;
}

/** Values are never quoted: a message may hold secrets, and its notes end up in logs. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "object":
      return "an object";
    case "string":
      return "a string";
    case "number":
      return Number.isFinite(value) ? "a number" : "a number that is not finite";
    case "boolean":
      return "a boolean";
    default:
      return `a ${typeof value}`;
  }
}
