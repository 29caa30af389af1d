import { REDACTED } from "./redact.js";
import { isObject, type WireNames } from "./wire-names.js";

/**
 * The path at which what was said differs first from what was recorded; `undefined` where it says the same. Ids of messages
 * do not count, names may be others, and a recorded text out of which something was redacted fits every text.
 */
export function differenceOf(
  recorded: unknown,
  said: unknown,
  names: WireNames,
  path: readonly string[] = [],
): readonly string[] | undefined {
  const isKnown = names.fits(path.at(-1), recorded, said);
  if (isKnown !== undefined) return isKnown ? undefined : path;
  if (recorded === said) return undefined;
  if (typeof recorded === "string" && typeof said === "string" && recorded.includes(REDACTED)) return undefined;
  if (!isObject(recorded) || !isObject(said) || Array.isArray(recorded) !== Array.isArray(said)) return path;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(said)])) {
    if (name === "id" && path.length === 0) continue;
    const different = differenceOf(recorded[name], said[name], names, [...path, name]);
    if (different !== undefined) return different;
  }
  return undefined;
}
