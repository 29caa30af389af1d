import type { SessionEvent, StateUpdate } from "../event.js";
import { changed } from "../patch.js";
import type { Activity, SessionState } from "../state.js";
import { remembering } from "../timeline.js";
import { foldUnknown } from "./notices.js";
import { settlePrompt } from "./prompts.js";

type Event<T extends string> = SessionEvent & { type: T };

const CANCELLED = -32800;
const OPEN_TURNS = 100;

/** A real report replaces the whole snapshot (V2-UPD-15) and ends all conclusions from open prompts (V2-SEED-07). */
export function foldStateUpdate(state: SessionState, event: StateUpdate & { readonly at?: number }): SessionState {
  if (typeof event.state !== "string") return foldUnknown(state, event, "a state update needs a state", event.at);
  const stopReason = event.stopReason ?? undefined;
  const error = event.error ?? undefined;
  const usage = event.usage ?? undefined;
  const background = Array.isArray(event.background) ? event.background : undefined;
  const activity: Activity = { state: event.state, origin: "reported", stopReason, error, usage, background };
  const ends = event.state === "idle" && state.activity.state !== "idle";
  const next = changed(state, {
    activity,
    lastTurn: ends ? { stopReason, error, usage } : state.lastTurn,
    cancelling: state.cancelling && event.state !== "idle",
  });
  return remembering(next, { stateReported: true });
}

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
  let next = changed(state, { lastTurn: { promptId, stopReason, error, usage } });
  next = remembering(next, { openTurns, openMessage: undefined });
  if (promptId !== undefined) next = settlePrompt(next, promptId);
  if (state.internal.stateReported || openTurns.length > 0) return next;
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
