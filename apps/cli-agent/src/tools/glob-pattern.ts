import { type CharacterTest, readClass } from "./glob-class.js";

/** Pattern for paths with `/` as the separator. */
export type GlobPattern = {
  fits(path: string): boolean;
  /** Returns `true` if the pattern can match a path that begins with this text. */
  mayBegin(text: string): boolean;
};

export type GlobOptions = {
  /** `true` if `{a,b}` means `a` or `b`. Otherwise braces are ordinary characters, as in a `.gitignore`. */
  readonly braces?: boolean;
  /** Index of the first character at which `**` can be the start of a part of the path. @defaultValue 0 */
  readonly start?: number;
};

/** Step of a compiled pattern. It consumes one character, continues at one of two places, or ends the match. */
type Step = { readonly test: CharacterTest } | Choice | "end";
type Choice = { to: number; or: number };

const MAX_PATTERN = 1_024;

const isNoSlash: CharacterTest = (char) => char !== "/";
const isAny: CharacterTest = () => true;

/**
 * Compiles a pattern:
 *
 * - `*` and `?` match characters within a part of the path. `**` as a whole part matches any number of parts.
 * - `[a-z]`, `[!a]` and `[[:digit:]]` match one character.
 * - After `\`, the next character is literal.
 *
 * A match reads the path once. It follows all possible places in the pattern at the same time, so nothing is tried
 * twice. Its time is at most proportional to the product of both lengths.
 *
 * @returns the compiled pattern. Returns `undefined` for an open bracket, a `\` at the end, or a pattern longer than
 * {@link MAX_PATTERN}.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): GlobPattern | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const steps = new Compiler([...pattern], options).compile();
  if (steps === undefined) return undefined;
  const hasBraces = options.braces === true && pattern.includes("{");
  // Most paths do not end in the same way as the pattern, so their ends are compared first. The slash of `**/` may be
  // missing in the path.
  const tail = hasBraces ? "" : (pattern.split(/[*?[\]\\]/).at(-1) ?? "").replace(/^\//, "");
  return {
    fits: (path) => path.endsWith(tail) && placesBehind(steps, path).some((place) => steps[place] === "end"),
    mayBegin: (text) => placesBehind(steps, text).length > 0,
  };
}

class Compiler {
  readonly #chars: readonly string[];
  readonly #braces: boolean;
  readonly #start: number;
  /** Indices of the braces and commas of alternatives. */
  readonly #signs: ReadonlySet<number>;
  readonly #steps: Step[] = [];

  constructor(chars: readonly string[], { braces = false, start = 0 }: GlobOptions) {
    this.#chars = chars;
    this.#braces = braces;
    this.#start = start;
    this.#signs = braces ? signsOfBraces(chars) : new Set();
  }

  compile(): readonly Step[] | undefined {
    /**
     * Open braces. Each has the choice of the current alternative, and the jumps from the ends of the earlier
     * alternatives.
     */
    const open: { choice: Choice; readonly jumps: Choice[] }[] = [];
    let at = 0;
    while (at < this.#chars.length) {
      const group = open.at(-1);
      if (!this.#signs.has(at)) {
        const end = this.#readOne(at);
        if (end === undefined) return undefined;
        at = end;
        continue;
      }
      if (this.#chars[at] === "{") open.push({ choice: this.#choose(), jumps: [] });
      else if (group !== undefined && this.#chars[at] === ",") {
        group.jumps.push(this.#choose());
        group.choice.or = this.#steps.length;
        group.choice = this.#choose();
      } else if (group !== undefined) {
        for (const jump of group.jumps) jump.to = jump.or = this.#steps.length;
        open.pop();
      }
      at++;
    }
    this.#steps.push("end");
    return this.#steps;
  }

  /** Adds the steps for one element of the pattern. Returns the index after the element. */
  #readOne(at: number): number | undefined {
    const chars = this.#chars;
    const char = chars[at] ?? "";
    if (char === "*") return this.#readStars(at);
    if (char === "?") {
      this.#steps.push({ test: isNoSlash });
      return at + 1;
    }
    if (char === "[") {
      const read = readClass(chars, at + 1);
      if (read === undefined) return this.#braces ? this.#literal("[", at + 1) : undefined;
      this.#steps.push({ test: read.test });
      return read.end;
    }
    if (char !== "\\") return this.#literal(char, at + 1);
    const escaped = chars[at + 1];
    return escaped === undefined ? undefined : this.#literal(escaped, at + 2);
  }

  #literal(char: string, end: number): number {
    this.#steps.push({ test: (one) => one === char });
    return end;
  }

  #readStars(at: number): number {
    const chars = this.#chars;
    let end = at;
    while (chars[end] === "*") end++;
    const isFirst = at === this.#start || chars[at - 1] === "/" || this.#isBrace(at - 1, "{,");
    const isLast = end === chars.length || chars[end] === "/" || this.#isBrace(end, ",}");
    const isEscapedSlash = chars[end] === "\\" && chars[end + 1] === "/";
    if (end - at < 2 || !isFirst || !(isLast || isEscapedSlash)) {
      this.#repeat(isNoSlash);
      return end;
    }
    if (chars[end] !== "/") {
      this.#repeat(isAny);
      return end;
    }
    // `**/` may match nothing.
    const none = this.#choose();
    this.#repeat(isAny);
    this.#literal("/", end);
    none.or = this.#steps.length;
    return end + 1;
  }

  #isBrace(at: number, signs: string): boolean {
    return this.#signs.has(at) && signs.includes(this.#chars[at] ?? " ");
  }

  /** Adds a choice between the next step and another step, which is set later. */
  #choose(): Choice {
    const choice = { to: this.#steps.length + 1, or: this.#steps.length + 1 };
    this.#steps.push(choice);
    return choice;
  }

  #repeat(test: CharacterTest): void {
    const start = this.#steps.length;
    const choice = this.#choose();
    this.#steps.push({ test }, { to: start, or: start });
    choice.or = this.#steps.length;
  }
}

/** Returns the indices of all braces that have a partner, and of the commas between the braces. */
function signsOfBraces(chars: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at];
    if (char === "\\") at++;
    else if (char === "[") at = (readClass(chars, at + 1)?.end ?? at + 1) - 1;
    else if (char === "{") open.push({ at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const group = open.pop();
      // Without a comma, braces are ordinary characters.
      if (group && group.commas.length > 0) for (const one of [group.at, ...group.commas, at]) found.add(one);
    }
  }
  return found;
}

/** Returns the places in the pattern that can follow a text. Each place occurs once. */
function placesBehind(steps: readonly Step[], text: string): Int32Array {
  const seen = new Int32Array(steps.length);
  const waiting = new Int32Array(steps.length * 2 + 1);
  let [now, next] = [new Int32Array(steps.length), new Int32Array(steps.length)];
  let count = 0;
  /** Adds a place to the next places. If the place is a choice, adds the places of its alternatives. */
  const reach = (from: number, round: number): void => {
    let depth = 0;
    waiting[depth++] = from;
    while (depth > 0) {
      const place = waiting[--depth] ?? 0;
      if (seen[place] === round) continue;
      seen[place] = round;
      const step = steps[place];
      if (typeof step === "object" && "to" in step) {
        waiting[depth++] = step.or;
        waiting[depth++] = step.to;
      } else next[count++] = place;
    }
  };
  let round = 1;
  reach(0, round);
  for (const char of text) {
    [now, next] = [next, now];
    const length = count;
    count = 0;
    round++;
    for (let index = 0; index < length; index++) {
      const place = now[index] ?? 0;
      const step = steps[place];
      if (typeof step === "object" && "test" in step && step.test(char)) reach(place + 1, round);
    }
    if (count === 0) break;
  }
  return next.subarray(0, count);
}
