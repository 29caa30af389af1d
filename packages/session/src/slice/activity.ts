import { changed, remember, withTurnEnd } from "../change.js";
import type { EventOf, StateUpdate } from "../event.js";
import { same, stated } from "../patch.js";
import type { Activity, SessionState } from "../state.js";
import { COMPLETE } from "../timeline.js";
import { settlePrompt } from "./prompts.js";
import { cancelToolCalls, uncancelToolCalls } from "./tool-calls.js";

const CANCELLED = -32800;
const OPEN_TURNS = 100;
const KNOWN: readonly Activity["state"][] = ["idle", "running", "requires_action"];

/**
 * Applies a report of the activity. The report replaces the whole activity, even the activity that was derived from
 * open prompts. Work ends when the state changes to idle. A repeated report is not a second end, and a report during a
 * restore ends nothing.
 */
// V2-UPD-15, V2-SEED-07, V2-PRM-17, V2-SES-11
export function foldStateUpdate(state: SessionState, event: StateUpdate): SessionState {
  const { activity: before, replaying } = state;
  const activity = activityOf(event, before);
  const { stopReason, error, usage } = activity;
  const next = remember(changed(state, { activity }), { stateReported: true });
  if (activity.state !== "idle") return next;
  const unseen = before.origin === "request" && stopReason !== undefined && hasPrompt(state);
  const ends = !replaying && (before.state !== "idle" || unseen);
  const ended = ends ? withTurnEnd(next, { stopReason, error, usage }) : next;
  return changed(uncancelToolCalls(ended), { cancelling: false });
}

/** Returns `true` if this side has sent a prompt. Otherwise the first report is about older work. */
function hasPrompt({ timeline }: SessionState): boolean {
  return [...timeline].some((entry) => entry.type === "message" && entry.prompt && entry.prompt.status !== "failed");
}

function activityOf(event: StateUpdate, before: Activity): Activity {
  const { state, stopReason, error, usage } = event;
  const background = Array.isArray(event.background) ? event.background : undefined;
  const report = { state, origin: event.isMirrored ? "mirrored" : "reported", background } as const;
  if (KNOWN.includes(state)) return stated({ ...report, stopReason, error, usage });
  const lastKnown = KNOWN.includes(before.state) ? (before.state as "idle") : before.lastKnown;
  // For an unknown state, only its list of background work is read (V2-BG-06).
  const isUnobserved = (state as string) === "unknown";
  return stated({ ...report, lastKnown, background: isUnobserved ? background : undefined });
}

/** Applies the start of a turn. If the agent does not report its activity, it works while a prompt is open. */
export function foldTurnStarted(state: SessionState, { promptId }: EventOf<"turn_started">): SessionState {
  const { openTurns, stateReported } = state.internal;
  if (openTurns.includes(promptId)) return state;
  const next = remember(state, { openTurns: [...openTurns.slice(1 - OPEN_TURNS), promptId], ...COMPLETE });
  return stateReported ? next : changed(next, { activity: { state: "running", origin: "request" } });
}

/** Applies the end of a turn, which is the answer to its prompt. The growing message is then complete. */
// V1-UPD-08
export function foldTurnEnded(state: SessionState, event: EventOf<"turn_ended">): SessionState {
  const { promptId, error } = event;
  const openTurns = state.internal.openTurns.filter((open) => promptId !== undefined && open !== promptId);
  const failed = error && (state.cancelling && error.code === CANCELLED ? "cancelled" : "error");
  const end = stated({ stopReason: event.stopReason ?? failed, error, usage: event.usage });
  let next = remember(state, { openTurns, ...COMPLETE });
  if (promptId !== undefined) next = settlePrompt(next, promptId);
  // If the activity is reported, a report ends the work. The same end must not count twice (V2-SEED-08).
  if (state.internal.stateReported) return next;
  const lastTurn = { promptId, ...end };
  const isRepeated = openTurns.length === state.internal.openTurns.length && same(lastTurn, state.lastTurn);
  if (!isRepeated) next = withTurnEnd(next, lastTurn);
  if (openTurns.length > 0) return next;
  // In dialects in which each prompt is a turn, no work continues after the answer, even if the agent does not report
  // the end of a tool call (codex-acp).
  if (end.stopReason === "cancelled") next = cancelToolCalls(next);
  return changed(next, { activity: { state: "idle", origin: "request", ...end }, cancelling: false });
}

/** Applies a request to cancel. The end of the work confirms the cancel. */
export function foldCancelAsked(state: SessionState): SessionState {
  const isWorking = state.activity.state !== "idle" || state.internal.openTurns.length > 0;
  return changed(cancelToolCalls(state), { cancelling: state.cancelling || isWorking });
}

/** Applies the close of a session, which ends all open work and questions. */
export function foldSessionClosed(state: SessionState): SessionState {
  const { activity } = state;
  const next = changed(state, {
    closed: true,
    cancelling: false,
    replaying: false,
    pendingPermissions: [],
    pendingElicitations: [],
    activity: activity.state === "idle" ? activity : { state: "idle", origin: activity.origin },
  });
  return remember(next, { openTurns: [], unechoed: [], ...COMPLETE });
}
