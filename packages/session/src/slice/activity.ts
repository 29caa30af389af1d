import type { SessionEvent, StateUpdate } from "../event.js";
import type { Activity, SessionState } from "../state.js";
import { remembering, updated } from "../timeline.js";
import { settlePrompt } from "./prompts.js";
import { cancelToolCalls, uncancelToolCalls } from "./tool-calls.js";

type Event<T extends string> = SessionEvent & { type: T };

const CANCELLED = -32800;
const OPEN_TURNS = 100;
const KNOWN: readonly Activity["state"][] = ["idle", "running", "requires_action"];

/**
 * A real report replaces the whole snapshot (V2-UPD-15) and ends all conclusions from open prompts (V2-SEED-07). Work
 * ends at the edge to idle: a repeat is no second end (V2-PRM-17), and a snapshot of a restore is none (V2-SES-11).
 */
export function foldStateUpdate(state: SessionState, event: StateUpdate): SessionState {
  const before = state.activity;
  const activity = activityOf(event, before);
  const { stopReason, error, usage } = activity;
  const idle = activity.state === "idle";
  const unseen = before.origin === "request" && stopReason !== undefined && hasPrompt(state);
  const ends = idle && !state.replaying && (before.state !== "idle" || unseen);
  const next = updated(idle ? uncancelToolCalls(state) : state, {
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
  const background = Array.isArray(event.background) ? event.background : undefined;
  if (KNOWN.includes(state)) {
    const { stopReason, error, usage } = event;
    const end = { stopReason: stopReason ?? undefined, error: error ?? undefined, usage: usage ?? undefined };
    return { state, origin: "reported", ...end, background };
  }
  const lastKnown = KNOWN.includes(before.state) ? (before.state as "idle") : before.lastKnown;
  // What else a state has that nobody here knows is not read; the list of one that cannot be observed is (V2-BG-06).
  const isUnobserved = (state as string) === "unknown";
  return { state, origin: "reported", lastKnown, background: isUnobserved ? background : undefined };
}

/** A prompt is open: without reports of the state that means that the agent works. */
export function foldTurnStarted(state: SessionState, { promptId }: Event<"turn_started">): SessionState {
  const { openTurns, stateReported } = state.internal;
  if (openTurns.includes(promptId)) return state;
  const turns = [...openTurns.slice(1 - OPEN_TURNS), promptId];
  const next = remembering(state, { openTurns: turns, openMessage: undefined });
  return stateReported ? next : updated(next, { activity: { state: "running", origin: "request" } });
}

/** The answer to a prompt is its turn's end; the message that was growing is complete (V1-UPD-08). */
export function foldTurnEnded(state: SessionState, event: Event<"turn_ended">): SessionState {
  const { promptId, error } = event;
  const { openTurns, stateReported } = state.internal;
  const turns = promptId === undefined ? [] : openTurns.filter((open) => open !== promptId);
  const usage = event.usage ?? undefined;
  const failed = error && (state.cancelling && error.code === CANCELLED ? "cancelled" : "error");
  const stopReason = event.stopReason ?? failed;
  let next = remembering(state, { openTurns: turns, openMessage: undefined });
  if (promptId !== undefined) next = settlePrompt(next, promptId);
  // Where the state is reported it told the end already, or will: one end is not two (V2-SEED-08).
  if (stateReported) return next;
  next = updated(next, { lastTurn: { promptId, stopReason, error, usage } });
  if (turns.length > 0) return next;
  // Where the request is the turn, nothing goes on behind its end, whatever the agent left unsaid (codex-acp does).
  if (stopReason === "cancelled") next = cancelToolCalls(next);
  return updated(next, { activity: { state: "idle", origin: "request", stopReason, error, usage }, cancelling: false });
}

/** The cancel is on its way; the end of the work confirms it. */
export function foldCancelAsked(state: SessionState): SessionState {
  const working = state.activity.state !== "idle" || state.internal.openTurns.length > 0;
  return updated(cancelToolCalls(state), { cancelling: state.cancelling || working });
}

/** Nothing more will come; whatever was open is not any more. */
export function foldSessionClosed(state: SessionState): SessionState {
  const { activity } = state;
  const next = updated(state, {
    closed: true,
    cancelling: false,
    replaying: false,
    activity: activity.state === "idle" ? activity : { state: "idle", origin: activity.origin },
    pendingPermissions: [],
    pendingElicitations: [],
  });
  return remembering(next, { openTurns: [], openMessage: undefined, unechoed: [] });
}
