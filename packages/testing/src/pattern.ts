import { show } from "./frame.js";

/**
 * What a value should look like. An object names the members that matter and leaves the rest open; an array is compared
 * item by item and in length; a regular expression tests a string; a function judges by itself; an object with an
 * `asymmetricMatch` method (`expect.any(String)` of the usual test runners) too; `undefined` means that the member is
 * absent. Anything else must be the same value.
 */
export type Pattern = unknown;

/** Where a value differs from a pattern, in words, or nothing: `params.cwd: expected "/work", got "/"`. */
export function differenceFrom(pattern: Pattern, value: unknown, path = ""): string | undefined {
  if (typeof pattern === "function") return pattern(value) === true ? undefined : differing(path, pattern, value);
  if (pattern instanceof RegExp) {
    return typeof value === "string" && new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).test(value)
      ? undefined
      : differing(path, pattern, value);
  }
  if (typeof pattern !== "object" || pattern === null) {
    return Object.is(pattern, value) ? undefined : differing(path, pattern, value);
  }
  const { asymmetricMatch } = pattern as { asymmetricMatch?: unknown };
  if (typeof asymmetricMatch === "function") {
    return asymmetricMatch.call(pattern, value) === true ? undefined : differing(path, pattern, value);
  }
  return differenceOfMembers(pattern, value, path);
}

/** Whether a value looks as the pattern wants it. */
export function fits(pattern: Pattern, value: unknown): boolean {
  return differenceFrom(pattern, value) === undefined;
}

function differenceOfMembers(pattern: object, value: unknown, path: string): string | undefined {
  const isList = Array.isArray(pattern);
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isList) {
    return differing(path, pattern, value);
  }
  if (isList && pattern.length !== (value as readonly unknown[]).length) return differing(path, pattern, value);
  for (const [name, wanted] of Object.entries(pattern)) {
    const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const difference = differenceFrom(wanted, member, path === "" ? name : `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differing(path: string, wanted: unknown, value: unknown): string {
  const where = path === "" ? "" : `${path}: `;
  return `${where}expected ${wanted === undefined ? "nothing" : show(wanted)}, got ${value === undefined ? "nothing" : show(value)}`;
}
