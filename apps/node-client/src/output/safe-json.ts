import { invisibleClass } from "../invisible.js";

/**
 * Characters that are valid in JSON but unsafe on a terminal: DEL, 8-bit controls, line separators, bidirectional
 * controls, and invisible characters.
 */
const UNSAFE = new RegExp(`[\\u007f-\\u009f${invisibleClass}]`, "gu");

/** Maximum depth of a value that is too deep for `JSON.stringify`. Deeper levels are left out. */
const MAX_DEPTH = 200;

/** Returns `true` for a value with more than 200 levels. {@link jsonText} may leave out some of them. */
export function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/**
 * Returns JSON that is safe to print, with invisible characters as escapes. A parser reads the same value from the
 * result. If a value has thousands of levels, only its first 200 levels are printed. A note replaces the deeper levels.
 */
export function safeJson(value: unknown, indent?: number): string {
  return jsonText(value, indent).replace(UNSAFE, escaped);
}

/**
 * Returns the JSON of a value, with unchanged invisible characters. If there are too many levels, the deeper levels are
 * left out, as in {@link safeJson}.
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch {
    return JSON.stringify(cut(value, []), undefined, indent) ?? "null";
  }
}

/** Returns a copy without the levels below 200. Parts that contain themselves are also left out. */
function cut(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[left out: it contains itself]";
  if (above.length >= MAX_DEPTH) return `[left out: more than ${MAX_DEPTH} levels]`;
  const below = [...above, value];
  if (Array.isArray(value)) return value.map((item) => cut(item, below));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, below)]));
}

function escaped(character: string): string {
  let units = "";
  for (let at = 0; at < character.length; at++) {
    units += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return units;
}
