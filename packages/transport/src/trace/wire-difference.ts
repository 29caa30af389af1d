import { REDACTED } from "./redact.js";
import { isObject, type WireNames } from "./wire-names.js";

/**
 * Returns the path of the first difference between a recorded message and the actual one, or `undefined` if they match.
 * Ids of messages do not count, names may differ consistently, and a redacted text matches every text.
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
