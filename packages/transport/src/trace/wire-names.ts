import { REDACTED } from "./redact.js";

/** Returns `true` for members whose text differs in every conversation, such as `id` and `sessionId`. */
const isName = (member: string): boolean => /(?:^i|I)d$/.test(member);

/**
 * Mapping from names in a log to names in the current conversation. A name is the id of a session, a message or any
 * other thing. A name is mapped when one of the sides first uses it, and the mapping never changes.
 */
export class WireNames {
  readonly #now = new Map<string, string>();

  /**
   * Returns `true` if `said` can be the current name for `recorded`. Returns `undefined` if the member contains no
   * name.
   */
  fits(member: string | undefined, recorded: unknown, said: unknown): boolean | undefined {
    if (member === undefined || !isName(member)) return undefined;
    if (typeof recorded !== "string" || typeof said !== "string" || recorded.includes(REDACTED)) return undefined;
    return (this.#now.get(recorded) ?? said) === said;
  }

  /** Maps the names of a recorded message to the names of the current message that replaces it. */
  learn(recorded: unknown, said: unknown): void {
    if (!isObjectOrList(recorded) || !isObjectOrList(said)) return;
    for (const [member, one] of Object.entries(recorded)) {
      const other = said[member];
      if (isName(member) && typeof one === "string" && typeof other === "string") this.#take(one, other);
      else this.learn(one, other);
    }
  }

  /** Returns a recorded value with current names. Names without a mapping are not changed. */
  renamed(recorded: unknown): unknown {
    if (Array.isArray(recorded)) return recorded.map((item) => this.renamed(item));
    if (!isObjectOrList(recorded)) return recorded;
    const members = Object.entries(recorded).map(([member, value]) => {
      const isNamed = isName(member) && typeof value === "string";
      return [member, isNamed ? this.#take(value, value) : this.renamed(value)] as const;
    });
    return Object.fromEntries(members);
  }

  #take(recorded: string, now: string): string {
    const known = this.#now.get(recorded);
    if (known !== undefined || recorded.includes(REDACTED)) return known ?? now;
    this.#now.set(recorded, now);
    return now;
  }
}

/** Returns `true` for an object or an array. */
export function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the path of the first difference between a recorded message and the current one. Returns `undefined` if the
 * messages match. Ids of messages are ignored. Names may differ if they differ everywhere in the same way. A redacted
 * text matches every text.
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
  if (!isObjectOrList(recorded) || !isObjectOrList(said) || Array.isArray(recorded) !== Array.isArray(said))
    return path;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(said)])) {
    if (name === "id" && path.length === 0) continue;
    const different = differenceOf(recorded[name], said[name], names, [...path, name]);
    if (different !== undefined) return different;
  }
  return undefined;
}
