import { bytesOf, countedBytes, grownBy, held } from "./bytes.js";
import type { Meta } from "./content.js";
import { lacksKeys, same, type Whole } from "./patch.js";
import type { Anomaly, ReducerMemory, SessionState, TurnOutcome } from "./state.js";
import type { Vector } from "./vector.js";

const ANOMALIES = 100;
/** Maximum length of the texts of an anomaly, in characters. */
export const ABOUT_LENGTH = 100;
/** Maximum size of one value of the state: `stateBytes` divided by this number. A larger value is refused. */
const SHARE = 16;

/** Members that are never refused for their size. They have other bounds, or are dropped last. */
const UNREFUSED = /^(?:activity|lastTurn|internal|anomalies)$/;

/** The lists of a state whose items are found by a key. */
export type ItemList = "timeline" | "terminals" | "plans" | "subagents";

/** Members of a state that an event changes. */
export type Change = Partial<Omit<SessionState, "bytes" | "limits">>;

type Members = { readonly [member: string]: unknown };
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Returns a copy of the state. The members are written one by one, because this takes a tenth of the time of a spread.
 */
export function copyOf(state: SessionState): Writable<SessionState> {
  const copy: Whole<SessionState> = {
    sessionId: state.sessionId,
    cwd: state.cwd,
    additionalDirectories: state.additionalDirectories,
    title: state.title,
    updatedAt: state.updatedAt,
    _meta: state._meta,
    timeline: state.timeline,
    terminals: state.terminals,
    plans: state.plans,
    activity: state.activity,
    lastTurn: state.lastTurn,
    replaying: state.replaying,
    history: state.history,
    cancelling: state.cancelling,
    closed: state.closed,
    usage: state.usage,
    availableCommands: state.availableCommands,
    configOptions: state.configOptions,
    pendingPermissions: state.pendingPermissions,
    pendingElicitations: state.pendingElicitations,
    subagents: state.subagents,
    anomalies: state.anomalies,
    bytes: state.bytes,
    limits: state.limits,
    internal: state.internal,
  };
  return copy;
}

/**
 * Returns the state with the changed members and its new size. A member that equals the previous one keeps its
 * identity. If every member is equal, the same state is returned.
 */
export function changed(state: SessionState, change: Change): SessionState {
  let next = state;
  for (const member in change) {
    const was = (state as Members)[member];
    const is = (change as Members)[member];
    if (same(was, is)) continue;
    const bytes = countedBytes(is);
    const isTooLarge = bytes > state.limits.stateBytes / SHARE && !UNREFUSED.test(member);
    if (isTooLarge && (is as { readonly [held]?: number })[held] === undefined) {
      next = noted(next, "too large to keep", member);
      continue;
    }
    const copy = copyOf(next);
    (copy as { [member: string]: unknown })[member] = is;
    if (member !== "anomalies") copy.bytes += bytes - countedBytes(was);
    next = copy;
  }
  return next;
}

/**
 * Returns the state with the end of a turn. Each end is a new object, because views compare ends by identity, and two turns
 * may end equally.
 */
export function withTurnEnd(state: SessionState, lastTurn: TurnOutcome): SessionState {
  const next = copyOf(state);
  next.bytes += countedBytes(lastTurn) - countedBytes(state.lastTurn);
  next.lastTurn = lastTurn;
  return next;
}

/** Returns the state with one of its lists replaced. */
export function withItems(state: SessionState, list: ItemList, items: Vector<never>): SessionState {
  const next = copyOf(state);
  next.bytes += items[held] - (state[list] as Vector<never>)[held];
  (next as { [list: string]: unknown })[list] = items;
  return next;
}

/** Returns the state with changes in the memory of the reducer. */
export function remember(state: SessionState, change: Partial<ReducerMemory>): SessionState {
  const { internal } = state;
  for (const member in change) {
    if (same(internal[member as "serial"], change[member as "serial"])) continue;
    const next = copyOf(state);
    next.internal = { ...internal, ...change };
    next.bytes += grownBy(internal, change);
    return next;
  }
  return state;
}

/** Returns `true` if a value is larger than its part of the state may be. */
export const isLarge = (state: SessionState, fact: unknown): boolean => bytesOf(fact) > state.limits.stateBytes / SHARE;

/** Returns the state with a new anomaly. The contradictory event itself is not applied. */
export function noted(state: SessionState, what: string, about?: unknown): SessionState {
  const anomaly: Anomaly = typeof about === "string" ? { what, about: about.slice(0, ABOUT_LENGTH) } : { what };
  return withAnomalies(state, [anomaly]);
}

/** Returns the state with more anomalies. The oldest ones are dropped. */
export function withAnomalies(state: SessionState, more: readonly Anomaly[]): SessionState {
  return changed(state, { anomalies: [...state.anomalies, ...more.slice(-ANOMALIES)].slice(-ANOMALIES) });
}

/** Returns the state with an anomaly if the metadata of an item had no room for a key of its patch. */
export function withKeysNoted(state: SessionState, meta: Meta | undefined, patch: unknown): SessionState {
  return lacksKeys(meta, patch) ? noted(state, "metadata has too many keys to keep all") : state;
}
