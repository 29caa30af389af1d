import { show } from "./frame.js";

/**
 * Pattern for values.
 *
 * - An object matches if its own members match. Other members of the value are ignored. `undefined` matches an absent
 *   member.
 * - An array matches if its length is the same and each item matches.
 * - A regular expression matches a string.
 * - A function matches if it returns true. An object with an `asymmetricMatch` method, such as `expect.any(String)`, works
 *   in the same way.
 * - Any other pattern matches an equal value.
 */
export type Pattern = unknown;

/** Returns the first difference between a value and a pattern, such as `params.cwd: expected "/work", got "/"`. */
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

/** Returns true if a value matches a pattern. */
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
