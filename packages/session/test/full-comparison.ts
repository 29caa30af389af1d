import { isDeepStrictEqual } from "node:util";
import { diffStates } from "../src/diff-states.js";
import type { KeyedChanges } from "../src/keyed-list.js";
import type { SessionState } from "../src/state.js";
import type { KeyedList } from "../src/vector.js";

/** Returns the result of `diffStates` for two states, and that of a full comparison, in one form. */
export function comparedStates(before: SessionState, after: SessionState): { said: object; found: object } {
  const { members, ...lists } = diffStates(before, after);
  const found = {
    timeline: compared(before.timeline, after.timeline, ({ key }) => key),
    terminals: compared(before.terminals, after.terminals, ({ terminalId }) => terminalId),
    plans: compared(before.plans, after.plans, ({ planId }) => planId),
    subagents: compared(before.subagents, after.subagents, ({ sessionId }) => sessionId),
  };
  return {
    said: { members: new Set(members), ...mapValues(lists, unordered) },
    found: { members: differingMembers(before, after, new Set(members)), ...mapValues(found, unordered) },
  };
}

/** Members whose identity changed; where they only say the same anew, either answer is right. */
function differingMembers(before: SessionState, after: SessionState, said: ReadonlySet<string>): ReadonlySet<string> {
  const lists = new Set(["timeline", "terminals", "plans", "subagents", "bytes", "internal"]);
  const names = Object.keys(after).filter((name) => !lists.has(name)) as (keyof SessionState)[];
  return new Set(
    names.filter((name) => {
      if (Object.is(before[name], after[name])) return false;
      return said.has(name) || !isDeepStrictEqual(before[name], after[name]);
    }),
  );
}

type Found<T> = Pick<KeyedChanges<T>, "changed" | "removed" | "moved">;

function compared<T>(before: KeyedList<T>, after: KeyedList<T>, keyOf: (item: T) => string): Found<T> {
  const older = new Map(before.toArray().map((item, position) => [keyOf(item), { item, position }]));
  const newer = new Set(after.toArray().map(keyOf));
  const changed: { position: number; item: T; before: T | undefined }[] = [];
  let moved = false;
  after.toArray().forEach((item, position) => {
    const was = older.get(keyOf(item));
    if (was !== undefined && was.position !== position) moved = true;
    if (was?.item !== item) changed.push({ position, item, before: was?.item });
  });
  return { changed, removed: [...older.keys()].filter((key) => !newer.has(key)), moved };
}

/** Compared by identity: what changed is told apart by its place and its objects, not by what they say. */
const unordered = ({ changed, removed, moved }: Found<unknown>): object => ({
  changed: changed.map(({ position, item, before }) => [position, identity(item), identity(before)].join(" ")),
  removed: new Set(removed),
  moved,
});

const identities = new WeakMap<object, number>();
let given = 0;
function identity(item: unknown): number | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const known = identities.get(item);
  if (known !== undefined) return known;
  identities.set(item, ++given);
  return given;
}

const mapValues = <T, R>(of: { readonly [name: string]: T }, map: (value: T) => R): { readonly [name: string]: R } =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
