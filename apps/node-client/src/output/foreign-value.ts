import { cut } from "../render/line.js";
import { jsonText } from "./safe-json.js";

/** Maximum length of a foreign value in a sentence, in characters. */
const MAX_TEXT = 200;

export type Members = Readonly<Record<string, unknown>>;

/** Returns `true` for an object that is not a list. */
export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an object unchanged, and `{}` for any other value. */
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/**
 * Returns the same text for equal values of another program, such as ids. A text is returned unchanged, and any other
 * value as JSON. `String(value)` would throw for some objects.
 */
export function foreignKey(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "bigint" ? String(value) : jsonText(value);
}

/** Returns the same text for equal ids of messages. The id `1` and the id `"1"` are different. */
export function idKey(id: unknown): string {
  return `${typeof id} ${foreignKey(id)}`;
}

/** Returns a value of another program for a sentence, cut after 200 characters. */
export function foreignText(value: unknown): string {
  return cut(foreignKey(value), MAX_TEXT);
}
