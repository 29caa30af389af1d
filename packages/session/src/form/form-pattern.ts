/** Number of steps that remain for patterns. All fields of a form share it. */
export type PatternBudget = { steps: number };

/**
 * State of the automaton. `next` contains the following states. If the state has `fits`, it first consumes one
 * character.
 */
type State = { readonly fits?: RegExp; readonly only?: "start" | "end"; readonly next: number[] };

/**
 * Function that adds the states for a part of a pattern. After this part, the automaton continues at `next`. The
 * function returns the first added state.
 */
type Build = (next: number) => number;

const MAX_PATTERN = 2000;
const MAX_STATES = 5000;
const MATCHED = 0;

/** Error for a valid pattern that this automaton cannot run. */
class Unsupported extends Error {}

/**
 * Returns `true` if `text` contains a match of a pattern in the syntax of ECMA-262. Returns `undefined` in these cases:
 *
 * - The pattern is malformed.
 * - The number of steps is exhausted.
 * - The pattern needs look-around, references to groups, or word boundaries.
 *
 * The pattern comes from the agent, and JavaScript's own engine can take years for a malicious pattern. This function
 * follows all paths at the same time, so its time is bounded by the length of the pattern times the length of the text.
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

/** Returns true for a valid pattern. The regular expression is only parsed, never run. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== undefined;
  } catch {
    return false;
  }
}

/** Converts a valid pattern to states. Regular expressions of JavaScript match the single characters. */
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

/** Pattern for one character: an escape (no reference, no boundary), a class, or a plain character. */
const UNICODE_CHAR =
  /\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^1-9kbBuxcpP])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/suy;
const CHAR = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[^\da-z]|[dDsSwWtnrfv])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/isy;

/** Follows all paths at the same time. A match may begin at any character. */
function run(states: State[], first: number, chars: readonly string[], budget: PatternBudget): boolean | undefined {
  let reached = new Set<number>();
  for (let at = 0; at <= chars.length; at++) {
    reached.add(first);
    // The set grows during the loop, because states that consume no character add their next states.
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
