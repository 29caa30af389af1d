import { afterCall, beginCalls, type Call, type CallState, callPrograms, callSteps, slowCalls } from "./call-rule.js";
import {
  after,
  BUDGET,
  begin,
  type Frame,
  isDone,
  keyOf,
  overlapIn,
  type Program,
  programs,
  type Rule,
  stepsOf,
} from "./rule.js";

/** Result of a walk: the number of states, and the first fault with the steps that lead to it. */
export type Walk = { readonly states: number; readonly what?: string; readonly steps?: readonly string[] };

/** Every script of some updates with all programs in two sessions, and of quick ones after them. */
export function* scripts(listeners: number, quick: number): Generator<readonly Frame[]> {
  // The sessions are alike: the first update is always of the same one.
  for (const number of numbersBelow(programs.length ** listeners * 2 ** listeners)) {
    const script: Frame[] = [];
    let rest = Math.floor(number / 2 ** listeners);
    for (let n = 0; n < listeners; n += 1) {
      const lane = n === 0 ? 0 : (number >> n) & 1;
      script.push({ kind: "update", lane, program: programs[rest % programs.length] as Program });
      rest = Math.floor(rest / programs.length);
    }
    for (let n = 0; n < quick; n += 1) script.push({ kind: "update", lane: number & 1, program: "quick" });
    yield script;
  }
}

/** Every series of calls with all programs in two sessions, the first of them large or not. */
export function* series(calls: number): Generator<readonly Call[]> {
  const choices = callPrograms.flatMap((program) =>
    [0, 1].flatMap((session) => [false, true].map((isLarge): Call => ({ session, program, isLarge }))),
  );
  for (const number of numbersBelow(choices.length ** calls)) {
    yield Array.from(
      { length: calls },
      (_, n) => choices[Math.floor(number / choices.length ** n) % choices.length] as Call,
    );
  }
}

/** Returns true if a script holds one of the programs. */
export const has = (script: readonly Frame[], ...wanted: readonly Program[]): boolean =>
  script.some((frame) => frame.kind === "update" && wanted.includes(frame.program));

/** Walks a script in every order of its steps. */
export function explore(script: readonly Frame[], rule: Rule, mostOverlap?: number): Walk {
  return walk(
    begin(script, mostOverlap),
    keyOf,
    (state) => stepsOf(state, rule),
    (state, step) => after(state, step, rule),
    (state, isEnd) => {
      if (isEnd && !isDone(state)) return state.isFull ? "reading has stopped" : "nothing moves";
      if (state.waiting > BUDGET) return "more waits than the budget";
      return overlapIn(state) > state.mostOverlap ? "more runs than the bound" : undefined;
    },
  );
}

/** Walks a series of calls. Slow ones may never end: the cancel behind them has to be read all the same. */
export function exploreCalls(calls: readonly Call[], rule: Rule): Walk {
  const next = (state: CallState, step: string) => afterCall(state, step, rule);
  const overlaps = ({ sessions }: CallState) => sessions.some(({ running }) => running.length > 1);
  const start = beginCalls(calls);
  const unwilling = walk(
    start,
    JSON.stringify,
    (state) => callSteps(state, rule),
    next,
    (state, isEnd) => {
      return isEnd && !state.isCancelled ? "a cancel is not read" : undefined;
    },
  );
  if (unwilling.what !== undefined) return unwilling;
  return walk(
    start,
    JSON.stringify,
    (state) => [...callSteps(state, rule), ...slowCalls(state)],
    next,
    (state) => (overlaps(state) ? "two calls of a session run at once" : undefined),
  );
}

/** A state and the way to it: its last step, and the state before. */
type Way<S> = { readonly state: S; readonly step?: string; readonly before?: Way<S> };

function walk<S>(
  start: S,
  keyFor: (state: S) => string,
  stepsFrom: (state: S) => readonly string[],
  next: (state: S, step: string) => S,
  faultOf: (state: S, isEnd: boolean) => string | undefined,
): Walk {
  const seen = new Set<string>();
  const open: Way<S>[] = [{ state: start }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { state } = one;
    const key = keyFor(state);
    if (seen.has(key)) continue;
    seen.add(key);
    const possible = stepsFrom(state);
    const what = faultOf(state, possible.length === 0);
    if (what !== undefined) return { states: seen.size, steps: stepsTo(one), what };
    for (const step of possible) open.push({ state: next(state, step), step, before: one });
  }
  return { states: seen.size };
}

function stepsTo<S>(way: Way<S>): string[] {
  const steps: string[] = [];
  for (let one: Way<S> | undefined = way; one?.step !== undefined; one = one.before) steps.unshift(one.step);
  return steps;
}

function* numbersBelow(end: number): Generator<number> {
  for (let number = 0; number < end; number += 1) yield number;
}
