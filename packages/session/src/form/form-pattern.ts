/** What is left to spend on patterns; shared by all fields of a form. */
export type PatternBudget = { steps: number };

type Part =
  | { readonly type: "char"; readonly fits: RegExp }
  | { readonly type: "start" | "end" }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly type: "repeat"; readonly part: Part; readonly least: number; readonly most: number };

/** A state of the machine: `next` are the states after it; one that `fits` a character takes it first. */
type State = { readonly fits?: RegExp; readonly only?: "start" | "end"; readonly next: number[] };

const MAX_PATTERN = 2000;
const MAX_STATES = 5000;
const MATCHED = 0;

/** Nothing is wrong with the pattern, but this machine does not run it. */
class Unsupported extends Error {}

/**
 * Whether `text` holds a match of a pattern in ECMA-262 syntax; `undefined` where that cannot be told within the budget,
 * or needs more than a linear walk (look-around, references to groups, word borders), or the pattern is none.
 *
 * A pattern comes from the agent, and JavaScript's own engine can take years for a bad one. Here all ways through it are
 * walked at once, so the time is bounded by the length of the pattern times that of the text (V1-ELIC-10).
 */
export function matchesPattern(pattern: string, text: string, budget: PatternBudget): boolean | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const flags = ["u", ""].find((one) => isPattern(pattern, one));
  if (flags === undefined) return undefined;
  try {
    const states: State[] = [{ next: [] }];
    const first = build(states, new PatternReader(pattern, flags).read(), MATCHED);
    return run(states, first, flags === "u" ? [...text] : text.split(""), budget);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Making an expression only parses it: it is never run as a whole. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== undefined;
  } catch {
    return false;
  }
}

/** Reads a pattern whose syntax is known to be right. What fits one character is left to the language itself. */
class PatternReader {
  readonly #pattern: string;
  readonly #flags: string;
  #at = 0;

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags;
  }

  read(): Part {
    const whole = this.#choice();
    if (this.#at < this.#pattern.length) throw new Unsupported();
    return whole;
  }

  #choice(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/\|/uy)) parts.push(this.#sequence());
    return { type: "choice", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/u.test(this.#pattern.charAt(this.#at))) parts.push(this.#piece());
    return { type: "sequence", parts };
  }

  #piece(): Part {
    const part = this.#atom();
    const quantifier = this.#take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy);
    if (quantifier === undefined) return part;
    const [, sign, from = "", comma, to] = quantifier;
    if (sign === "*") return { type: "repeat", part, least: 0, most: Number.POSITIVE_INFINITY };
    if (sign === "+") return { type: "repeat", part, least: 1, most: Number.POSITIVE_INFINITY };
    if (sign === "?") return { type: "repeat", part, least: 0, most: 1 };
    const most = comma === undefined ? Number(from) : to ? Number(to) : Number.POSITIVE_INFINITY;
    return { type: "repeat", part, least: Number(from), most };
  }

  #atom(): Part {
    if (this.#take(/\^/uy)) return { type: "start" };
    if (this.#take(/\$/uy)) return { type: "end" };
    if (this.#take(/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy)) {
      const inner = this.#choice();
      if (!this.#take(/\)/uy)) throw new Unsupported();
      return inner;
    }
    const char = this.#take(this.#flags === "u" ? UNICODE_CHAR : CHAR);
    if (char === undefined) throw new Unsupported();
    return { type: "char", fits: new RegExp(`^(?:${char[0]})$`, this.#flags) };
  }

  #take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = what.lastIndex;
    return found;
  }
}

/** An escape that stands for characters (none that refers to a group or a border), a class, or a plain character. */
const UNICODE_CHAR =
  /\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^1-9kbBuxcpP])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/suy;
const CHAR = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[^\da-z]|[dDsSwWtnrfv])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/isy;

/** Adds the states of `part`, which go on to `next`; answers with the first of them. */
function build(states: State[], part: Part, next: number): number {
  switch (part.type) {
    case "char":
      return add(states, { fits: part.fits, next: [next] });
    case "start":
    case "end":
      return add(states, { only: part.type, next: [next] });
    case "sequence":
      return part.parts.reduceRight((after, one) => build(states, one, after), next);
    case "choice":
      return add(states, { next: part.parts.map((one) => build(states, one, next)) });
    case "repeat": {
      let first = next;
      if (part.most === Number.POSITIVE_INFINITY) {
        const loop: State = { next: [next] };
        first = add(states, loop);
        loop.next.push(build(states, part.part, first));
      } else {
        for (let more = part.least; more < part.most; more++) {
          first = add(states, { next: [next, build(states, part.part, first)] });
        }
      }
      for (let must = 0; must < part.least; must++) first = build(states, part.part, first);
      return first;
    }
  }
}

function add(states: State[], state: State): number {
  if (states.length >= MAX_STATES) throw new Unsupported();
  return states.push(state) - 1;
}

/** Walks all ways at once; a match may begin anywhere. */
function run(states: State[], first: number, chars: readonly string[], budget: PatternBudget): boolean | undefined {
  let reached = new Set<number>();
  for (let at = 0; at <= chars.length; at++) {
    reached.add(first);
    // A set that grows while it is walked: what a state leads to without a character comes later in the same walk.
    const after = new Set<number>();
    for (const index of reached) {
      if (index === MATCHED) return true;
      budget.steps -= 1;
      if (budget.steps < 0) return undefined;
      const { fits, only, next } = states[index] as State;
      if (fits !== undefined) {
        if (at < chars.length && fits.test(chars[at] as string)) for (const one of next) after.add(one);
      } else if (only === undefined || at === (only === "start" ? 0 : chars.length)) {
        for (const one of next) reached.add(one);
      }
    }
    reached = after;
  }
  return false;
}
