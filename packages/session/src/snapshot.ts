import { changed } from "./change.js";
import { checkState } from "./check-option.js";
import { isObject, type Wire } from "./codec/read.js";
import { createSessionState } from "./create-session-state.js";
import type { Entry } from "./entry.js";
import { sequenceOf } from "./persistent-list.js";
import type { SessionState } from "./state.js";
import type { KeyedList, Vector } from "./vector.js";

/**
 * Format that this version writes. The number increases when readers of the previous format cannot read the new one.
 */
const FORMAT = "turnkit-session/1";

/** State as plain JSON, for a file or another process. Its form is not part of the API. */
export type Snapshot = { readonly format: string; readonly state: unknown };

/** State of a snapshot, or the reason why the snapshot cannot be read. */
export type SnapshotReading =
  | { readonly state: SessionState; readonly problem?: undefined }
  | { readonly state: undefined; readonly problem: string };

/**
 * Returns the state as plain JSON. {@link readSnapshot} converts it to an equal state, to which the same later events
 * can be applied.
 *
 * @throws TypeError for a value that is not a state, such as a store
 * @throws RangeError if the state contains a value that is nested too deeply for `JSON.stringify` (some thousand
 * levels)
 */
export function createSnapshot(state: SessionState): Snapshot {
  checkState("createSnapshot", state);
  return { format: FORMAT, state: JSON.parse(JSON.stringify(state)) };
}

/**
 * Reads a snapshot of this format or of an older one. The value is not trusted, so any value is accepted. The function
 * never throws.
 */
export function readSnapshot(snapshot: unknown): SnapshotReading {
  if (!isObject(snapshot) || !isObject(snapshot.state)) return failed("it is not a snapshot of a session");
  // A later version converts this format here.
  if (snapshot.format !== FORMAT) return failed(`its format is not known here, which is up to ${FORMAT}`);
  try {
    return restored(snapshot.state);
  } catch {
    return failed("it does not hold what a state needs");
  }
}

const failed = (problem: string): SnapshotReading => ({ state: undefined, problem });

function restored(wire: Wire): SnapshotReading {
  const { bytes: _, limits, ...members } = completed(wire, createSessionState()) as SessionState;
  const fresh = createSessionState(limits);
  // The size is counted again, because the value is not trusted.
  const state = changed(fresh, {
    ...members,
    timeline: keyed(fresh.timeline, list(wire.timeline).map(entry)),
    terminals: keyed(fresh.terminals, list(wire.terminals)),
    plans: keyed(fresh.plans, list(wire.plans)),
    subagents: keyed(fresh.subagents, list(wire.subagents)),
  });
  return { state };
}

/** Returns an object with its required members. Members that are missing have the values of a new object. */
function completed(wire: Wire, fresh: object): object {
  const whole: { [member: string]: unknown } = {};
  for (const [member, wanted] of Object.entries(fresh)) {
    const value = wire[member] ?? wanted;
    if (wanted !== undefined && kindOf(value) !== kindOf(wanted)) throw new TypeError(`${member} is of another kind`);
    whole[member] = isObject(wanted) && isObject(value) ? { ...value, ...completed(value, wanted) } : value;
  }
  return whole;
}

/** Returns the type of a value. A keyed list counts as an array, as in JSON. */
const kindOf = (value: unknown): string =>
  Array.isArray(value) || (isObject(value) && typeof value.toArray === "function") ? "list" : typeof value;

function list(value: unknown): readonly Wire[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new TypeError("no list of objects");
  return value;
}

/** Reads an entry. Its growing lists are arrays in JSON. */
function entry(wire: Wire): Entry {
  const { type, key } = wire;
  if (typeof type !== "string" || typeof key !== "string") throw new TypeError("no entry");
  if (type === "compaction") return { ...wire, summary: sequenceOf(list(wire.summary)) } as unknown as Entry;
  if (type !== "message" && type !== "tool_call" && type !== "session_message") return wire as unknown as Entry;
  return { ...wire, content: sequenceOf(list(wire.content)) } as unknown as Entry;
}

function keyed<T>(empty: KeyedList<T>, items: readonly unknown[]): KeyedList<T> {
  const all = (empty as Vector<T>).of(items as readonly T[]);
  const named = all.toArray().map((item) => all.line.naming?.names(item)[0] as string);
  if (named.some((name, position) => all.indexOf(name) !== position)) throw new TypeError("two of one key");
  return all;
}
