import { REDACTED } from "./redact.js";

/** Members whose texts one side makes up, so that they are others in every conversation: `id`, `sessionId` and so on. */
const isName = (member: string): boolean => /(?:^i|I)d$/.test(member);

/**
 * What sessions, messages and all else that has an id are called in a log, and what they are called now. A name is known
 * from the moment on in which either side said it, and stays what it was then.
 */
export class WireNames {
  readonly #now = new Map<string, string>();

  /** Whether a text in a member of that name may stand for the recorded one; `undefined` where that is no name. */
  fits(member: string | undefined, recorded: unknown, said: unknown): boolean | undefined {
    if (member === undefined || !isName(member)) return undefined;
    if (typeof recorded !== "string" || typeof said !== "string" || recorded.includes(REDACTED)) return undefined;
    return (this.#now.get(recorded) ?? said) === said;
  }

  /** Takes the names out of what was said in the place of what was recorded. */
  learn(recorded: unknown, said: unknown): void {
    if (!isObject(recorded) || !isObject(said)) return;
    for (const [member, one] of Object.entries(recorded)) {
      const other = said[member];
      if (isName(member) && typeof one === "string" && typeof other === "string") this.#take(one, other);
      else this.learn(one, other);
    }
  }

  /** What was recorded, with the names of now; those that are new stay as they are. */
  renamed(recorded: unknown): unknown {
    if (Array.isArray(recorded)) return recorded.map((item) => this.renamed(item));
    if (!isObject(recorded)) return recorded;
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

/** Whether a value has members: a JSON object, or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
