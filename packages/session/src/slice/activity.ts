import type { SessionEvent, StateUpdate } from "../event.js";
import { changed } from "../patch.js";
import type { Activity, SessionState } from "../state.js";
import { remembering } from "../timeline.js";
import { foldUnknown } from "./notices.js";
import { settlePrompt } from "./prompts.js";
import { cancelToolCalls, uncancelToolCalls } from "./tool-calls.js";

type Event<T extends string> = SessionEvent & { type: T };

const CANCELLED = -32800;
const OPEN_TURNS = 100;

/**
 * A real report replaces the whole snapshot (V2-UPD-15) and ends all conclusions from open prompts (V2-SEED-07). Work
 * ends at the edge to idle: a repeat is no second end (V2-PRM-17), and a snapshot of a restore is none (V2-SES-11).
 */
export function foldStateUpdate(state: SessionState, event: StateUpdate & { readonly at?: number }): SessionState {
  if (typeof event.state !== "string") return foldUnknown(state, event, "a state update needs a state", event.at);
  const before = state.activity;
  const activity = activityOf(event, before);
  const { stopReason, error, usage } = activity;
  const idle = activity.state === "idle";
  const unseen = before.origin === "request" && stopReason !== undefined && hasPrompt(state);
  const ends = idle && !state.replaying && (before.state !== "idle" || unseen);
  const next = changed(idle ? uncancelToolCalls(state) : state, {
    activity,
    lastTurn: ends ? { stopReason, error, usage } : state.lastTurn,
    cancelling: state.cancelling && !idle,
  });
  return remembering(next, { stateReported: true });
}

/** Whether this side asked for anything: where it did not, the first report tells of something older. */
function hasPrompt(state: SessionState): boolean {
  for (const entry of state.timeline) {
    if (entry.type === "message" && entry.prompt !== undefined && entry.prompt.status !== "failed") return true;
  }
  return false;
}

function activityOf(event: StateUpdate, before: Activity): Activity {
  const { state } = event;
  // What else a state has that nobody here knows is not read; the list of one that cannot be observed is (V2-BG-06).
  const known = isKnown(state);
  const background = (known || (state as string) === "unknown") && Array.isArray(event.background);
  return {
    state,
    origin: "reported",
    lastKnown: known ? undefined : isKnown(before.state) ? before.state : before.lastKnown,
    stopReason: known ? (event.stopReason ?? undefined) : undefined,
    error: known ? (event.error ?? undefined) : undefined,
    usage: known ? (event.usage ?? undefined) : undefined,
    background: background ? (event.background ?? undefined) : undefined,
  };
}

const isKnown = (state: Activity["state"]): state is "idle" | "running" | "requires_action" =>
  state === "idle" || state === "running" || state === "requires_action";

/** A prompt is open: without reports of the state that means that the agent works. */
export function foldTurnStarted(state: SessionState, event: Event<"turn_started">): SessionState {
  if (state.internal.openTurns.includes(event.promptId)) return state;
  const openTurns = [...state.internal.openTurns.slice(1 - OPEN_TURNS), event.promptId];
  const next = remembering(state, { openTurns, openMessage: undefined });
  return state.internal.stateReported ? next : changed(next, { activity: { state: "running", origin: "request" } });
}

/** The answer to a prompt is its turn's end; the message that was growing is complete (V1-UPD-08). */
export function foldTurnEnded(state: SessionState, event: Event<"turn_ended">): SessionState {
  const { promptId, error } = event;
  const openTurns = promptId === undefined ? [] : state.internal.openTurns.filter((open) => open !== promptId);
  const usage = event.usage ?? undefined;
  const stopReason = event.stopReason ?? (error ? reasonOf(error, state.cancelling) : undefined);
  // Where the state is reported it told the end already, or will: one end is not two (V2-SEED-08).
  let next = state.internal.stateReported
    ? state
    : changed(state, { lastTurn: { promptId, stopReason, error, usage } });
  next = remembering(next, { openTurns, openMessage: undefined });
  if (promptId !== undefined) next = settlePrompt(next, promptId);
  if (state.internal.stateReported || openTurns.length > 0) return next;
  // Where the request is the turn, nothing goes on behind its end, whatever the agent left unsaid (codex-acp does).
  if (stopReason === "cancelled") next = cancelToolCalls(next);
  return changed(next, { activity: { state: "idle", origin: "request", stopReason, error, usage }, cancelling: false });
}

/** The cancel is on its way; the end of the work confirms it. */
export function withCancelAsked(state: SessionState): SessionState {
  const working = state.activity.state !== "idle" || state.internal.openTurns.length > 0;
  return changed(state, { cancelling: state.cancelling || working });
}

/** Nothing more will come; whatever was open is not any more. */
export function foldSessionClosed(state: SessionState): SessionState {
  const { origin } = state.activity;
  const activity: Activity = state.activity.state === "idle" ? state.activity : { state: "idle", origin };
  const next = changed(state, { closed: true, cancelling: false, replaying: false, activity });
  return remembering(next, { openTurns: [], openMessage: undefined, unechoed: [] });
}

const reasonOf = (error: { readonly code: number }, cancelling: boolean): "cancelled" | "error" =>
  cancelling && error.code === CANCELLED ? "cancelled" : "error";
