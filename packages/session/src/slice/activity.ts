import { forget } from "../create-session-state.js";
import { type Draft, remember } from "../draft.js";
import type { SessionEvent, StateUpdate } from "../event.js";
import { stated } from "../patch.js";
import type { Activity } from "../state.js";
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
export function foldStateUpdate(draft: Draft, event: StateUpdate): void {
  const before = draft.activity;
  const activity = activityOf(event, before);
  const { stopReason, error, usage } = activity;
  draft.activity = activity;
  remember(draft, { stateReported: true });
  if (activity.state !== "idle") return;
  const unseen = before.origin === "request" && stopReason !== undefined && hasPrompt(draft);
  const ends = !draft.replaying && (before.state !== "idle" || unseen);
  if (ends) draft.lastTurn = { stopReason, error, usage };
  uncancelToolCalls(draft);
  draft.cancelling = false;
}

/** Whether this side asked for anything: where it did not, the first report tells of something older. */
function hasPrompt({ timeline }: Draft): boolean {
  for (const entry of timeline) {
    if (entry.type === "message" && entry.prompt !== undefined && entry.prompt.status !== "failed") return true;
  }
  return false;
}

function activityOf({ state, stopReason, error, usage, ...event }: StateUpdate, before: Activity): Activity {
  const background = Array.isArray(event.background) ? event.background : undefined;
  const report = { state, origin: "reported", background } as const;
  if (KNOWN.includes(state)) return stated({ ...report, stopReason, error, usage });
  const lastKnown = KNOWN.includes(before.state) ? (before.state as "idle") : before.lastKnown;
  // What else a state has that nobody here knows is not read; the list of one that cannot be observed is (V2-BG-06).
  const isUnobserved = (state as string) === "unknown";
  return stated({ ...report, lastKnown, background: isUnobserved ? background : undefined });
}

/** A prompt is open: without reports of the state that means that the agent works. */
export function foldTurnStarted(draft: Draft, { promptId }: Event<"turn_started">): void {
  const { openTurns, stateReported } = draft.internal;
  if (openTurns.includes(promptId)) return;
  remember(draft, { openTurns: [...openTurns.slice(1 - OPEN_TURNS), promptId], openMessage: undefined });
  if (!stateReported) draft.activity = { state: "running", origin: "request" };
}

/** The answer to a prompt is its turn's end; the message that was growing is complete (V1-UPD-08). */
export function foldTurnEnded(draft: Draft, { promptId, error, ...event }: Event<"turn_ended">): void {
  const openTurns = draft.internal.openTurns.filter((open) => promptId !== undefined && open !== promptId);
  const failed = error && (draft.cancelling && error.code === CANCELLED ? "cancelled" : "error");
  const end = stated({ stopReason: event.stopReason ?? failed, error, usage: event.usage });
  remember(draft, { openTurns, openMessage: undefined });
  if (promptId !== undefined) settlePrompt(draft, promptId);
  // Where the state is reported it told the end already, or will: one end is not two (V2-SEED-08).
  if (draft.internal.stateReported) return;
  draft.lastTurn = { promptId, ...end };
  if (openTurns.length > 0) return;
  // Where the request is the turn, nothing goes on behind its end, whatever the agent left unsaid (codex-acp does).
  if (end.stopReason === "cancelled") cancelToolCalls(draft);
  draft.activity = { state: "idle", origin: "request", ...end };
  draft.cancelling = false;
}

/** The cancel is on its way; the end of the work confirms it. */
export function foldCancelAsked(draft: Draft): void {
  cancelToolCalls(draft);
  draft.cancelling ||= draft.activity.state !== "idle" || draft.internal.openTurns.length > 0;
}

/** Nothing more will come; whatever was open is not any more. */
export function foldSessionClosed(draft: Draft): void {
  draft.closed = true;
  forget(draft, "cancelling", "replaying", "pendingPermissions", "pendingElicitations");
  if (draft.activity.state !== "idle") draft.activity = { state: "idle", origin: draft.activity.origin };
  remember(draft, { openTurns: [], openMessage: undefined, unechoed: [] });
}
