import { bytesOf, grownBy, held } from "./bytes.js";
import type { Entry } from "./entry.js";
import type { Keyed } from "./keyed.js";
import { same, type Whole } from "./patch.js";
import type { Anomaly, ReducerMemory, SessionState } from "./state.js";
import type { Vector } from "./vector.js";

const ANOMALIES = 100;
const ABOUT_LENGTH = 100;
/** No single fact may fill the state: above this share of `stateBytes` it is refused. */
const SHARE = 16;

/** Those have setters of their own here, which count bytes along. */
type Counted = "timeline" | "internal" | "bytes";

/**
 * A state while one event is folded into it. Its members may be set; what they hold belongs to older states too, and is
 * replaced but never changed.
 */
export type Draft = { -readonly [K in Exclude<keyof SessionState, Counted>]: SessionState[K] } & {
  readonly [K in Counted]: SessionState[K];
};

/** A draft of a state. Written out, since that costs a tenth of a spread. */
export function draftOf(state: SessionState): Draft {
  const draft: Whole<SessionState> = {
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
  return draft;
}

/** What is counted when it is set, or bounded by itself. */
const SETTLED = /^(?:timeline|internal|anomalies)$/;
/** What the session does is told however large it is, and dropped only when nothing else can be. */
const UNREFUSED = /^(?:activity|lastTurn)$/;

/**
 * The state that a draft became, its bytes counted along. What says the same as before keeps its identity; where that
 * is everything it is the state before.
 */
export function settled(state: SessionState, draft: Draft): SessionState {
  const before = state as { readonly [member: string]: unknown };
  const after = draft as { [member: string]: unknown };
  let differs = false;
  for (const member in before) {
    const was = before[member];
    const is = after[member];
    if (was === is) continue;
    if (SETTLED.test(member)) differs = true;
    else if (same(was, is)) after[member] = was;
    else if (isLarge(state, is) && !UNREFUSED.test(member) && (is as { [held]?: number })[held] === undefined) {
      after[member] = was;
      note(draft, "too large to keep", member);
    } else {
      differs = true;
      count(draft, bytesOf(is) - bytesOf(was));
    }
  }
  return differs ? draft : state;
}

function count(draft: Draft, bytes: number): void {
  (draft as { bytes: number }).bytes += bytes;
}

const heldBy = (timeline: Keyed<Entry>): number => (timeline as Vector<Entry>)[held];

/** Puts another timeline into a draft. */
export function setTimeline(draft: Draft, timeline: Keyed<Entry>): void {
  count(draft, heldBy(timeline) - heldBy(draft.timeline));
  (draft as { timeline: Keyed<Entry> }).timeline = timeline;
}

/** Changes what the reducer remembers between events. */
export function remember(draft: Draft, change: Partial<ReducerMemory>): void {
  const before = draft.internal;
  if (Object.keys(change).every((member) => same(before[member as "serial"], change[member as "serial"]))) return;
  const after = { ...before, ...change };
  count(draft, grownBy(before, after));
  (draft as { internal: ReducerMemory }).internal = after;
}

/** Whether a fact would take more than its share of the state. */
export const isLarge = (state: SessionState, fact: unknown): boolean => bytesOf(fact) > state.limits.stateBytes / SHARE;

/** Notes something odd that was absorbed. */
export function note(draft: Draft, what: string, about?: unknown): void {
  const anomaly: Anomaly = typeof about === "string" ? { what, about: about.slice(0, ABOUT_LENGTH) } : { what };
  draft.anomalies = [...draft.anomalies.slice(1 - ANOMALIES), anomaly];
}
