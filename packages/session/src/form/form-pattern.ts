/** Budget of steps for patterns, shared by all fields of a form. */
export type PatternBudget = { steps: number };

/** State of the machine. `next` are the following states. A state with `fits` takes one character first. */
type State = { readonly fits?: RegExp; readonly only?: "start" | "end"; readonly next: number[] };

/** Adds the states of a part of a pattern. They continue at `next`. Returns the first of them. */
type Build = (next: number) => number;

const MAX_PATTERN = 2000;
const MAX_STATES = 5000;
const MATCHED = 0;

/** Error for a valid pattern that this machine cannot run. */
class Unsupported extends Error {}

/**
 * Returns true if `text` holds a match of a pattern in ECMA-262 syntax. Returns `undefined` in these cases:
 *
 * - the pattern is malformed,
 * - the budget is spent,
 * - the pattern requires more than a linear walk: look-around, references to groups, word borders.
 *
 * A pattern comes from the agent, and JavaScript's own engine can take years for a bad one. Here all ways through it are
 * walked at once, so the time is bounded by the length of the pattern times that of the text.
 */
// V1-ELIC-10
export function matchesPattern(pattern: string, text: string, budget: PatternBudget): boolean | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const flags = ["u", ""].find((one) => isPattern(pattern, one));
  if (flags === undefined) return undefined;
  const states: State[] = [{ next: [] }];
  const add = (state: State): number => {
    if (states.length >= MAX_STATES) throw new Unsupported();
    return states.push(state) - 1;
  };
  try {
    const first = readPattern(pattern, flags, add)(MATCHED);
    return run(states, first, flags === "u" ? [...text] : text.split(""), budget);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Returns true for a valid pattern. The expression is only parsed, never run as a whole. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== undefined;
  } catch {
    return false;
  }
}

/** Reads a pattern whose syntax is known to be right. What fits one character is left to the language itself. */
function readPattern(pattern: string, flags: string, add: (state: State) => number): Build {
  let at = 0;
  const take = (what: RegExp): RegExpExecArray | undefined => {
    what.lastIndex = at;
    const found = what.exec(pattern) ?? undefined;
    if (found) at = what.lastIndex;
    return found;
  };
  const choice = (): Build => {
    const ways = [sequence()];
    while (take(/\|/uy)) ways.push(sequence());
    return (next) => add({ next: ways.map((way) => way(next)) });
  };
  const sequence = (): Build => {
    const parts: Build[] = [];
    while (at < pattern.length && !/[|)]/u.test(pattern.charAt(at))) parts.push(quantified(atom()));
    return (next) => parts.reduceRight((after, part) => part(after), next);
  };
  const quantified = (part: Build): Build => {
    const found = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy);
    if (found === undefined) return part;
    const [, sign, from, comma, to] = found;
    const least = Number(from ?? (sign === "+" ? 1 : 0));
    const most = sign === "?" ? 1 : sign || (comma && !to) ? Number.POSITIVE_INFINITY : Number(to ?? from);
    return (next) => repeated(part, least, most, next);
  };
  const repeated = (part: Build, least: number, most: number, next: number): number => {
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = [next];
      first = add({ next: loop });
      loop.push(part(first));
    } else for (let more = least; more < most; more++) first = add({ next: [next, part(first)] });
    for (let must = 0; must < least; must++) first = part(first);
    return first;
  };
  const atom = (): Build => {
    if (take(/\^/uy)) return (next) => add({ only: "start", next: [next] });
    if (take(/\$/uy)) return (next) => add({ only: "end", next: [next] });
    if (take(/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy)) {
      const inner = choice();
      if (take(/\)/uy)) return inner;
    }
    const char = take(flags === "u" ? UNICODE_CHAR : CHAR);
    if (char === undefined) throw new Unsupported();
    const fits = new RegExp(`^(?:${char[0]})$`, flags);
    return (next) => add({ fits, next: [next] });
  };
  const whole = choice();
  if (at < pattern.length) throw new Unsupported();
  return whole;
}

/** Matches an escape for characters (no reference and no border), a class, or a plain character. */
const UNICODE_CHAR =
  /\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^1-9kbBuxcpP])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/suy;
const CHAR = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[^\da-z]|[dDsSwWtnrfv])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/isy;

/** Follows all paths at once. A match may begin anywhere. */
function run(states: State[], first: number, chars: readonly string[], budget: PatternBudget): boolean | undefined {
  let reached = new Set<number>();
  for (let at = 0; at <= chars.length; at++) {
    reached.add(first);
    // The set grows during the loop: states that need no character join it.
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
