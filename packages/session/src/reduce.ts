import { withinBound } from "./bound.js";
import { changed, noted, remember } from "./change.js";
import { createSessionState } from "./create-session-state.js";
import { isContentBlock, isToolCallContent } from "./entity.js";
import type { MessageRole, SessionEvent } from "./event.js";
import {
  addToKind,
  COMPACTION_KIND,
  type Kind,
  patchKind,
  SESSION_MESSAGE_KIND,
  SUBAGENT_KIND,
  TOOL_CALL_KIND,
} from "./kind.js";
import { stated } from "./patch.js";
import {
  foldCancelAsked,
  foldSessionClosed,
  foldStateUpdate,
  foldTurnEnded,
  foldTurnStarted,
} from "./slice/activity.js";
import { ChunkRun, foldChunk, foldMessage } from "./slice/messages.js";
import { foldPlan, foldPlanRemoved } from "./slice/plans.js";
import { foldPromptAccepted, foldPromptFailed, foldPromptSent } from "./slice/prompts.js";
import {
  foldElicitationAnswered,
  foldElicitationAsked,
  foldElicitationCompleted,
  foldPermissionAnswered,
  foldPermissionAsked,
} from "./slice/questions.js";
import { foldRestored } from "./slice/restored.js";
import {
  foldCommands,
  foldConfigOptionSet,
  foldConfigOptions,
  foldInfo,
  foldMode,
  foldOpened,
  foldUsage,
  NOT_UPDATED,
} from "./slice/settings.js";
import { foldTerminal, foldTerminalOutput } from "./slice/terminals.js";
import { foldToolCall } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { COMPLETE, withNumbered, withUnknown } from "./timeline.js";

/**
 * Returns the state after an event.
 *
 * - The function is pure. The old state stays valid, and unchanged entries and lists keep their identity. If an event
 *   changes nothing, the same state is returned.
 * - The function is total. It never throws. An event that cannot be read becomes an `unknown` entry or an anomaly.
 * - The average cost is constant.
 * - The state contains parts of the event, so do not change the event afterwards.
 */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  try {
    const next = fold(state, event);
    return next.bytes > next.limits.stateBytes ? withinBound(next) : next;
  } catch {
    // No codec created this event, so its members may have unexpected types.
    return noted(state, "an event could not be folded", typeOf(event));
  }
}

/** Applies several events, like {@link reduce}. No states are created between the pieces of one message. */
export function reduceAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  let next = state;
  let run: ChunkRun | undefined;
  for (const event of events) {
    if (run?.takes(event)) continue;
    next = reduce(run?.end() ?? next, event);
    run = ChunkRun.after(next, event);
  }
  return run?.end() ?? next;
}

/** Returns the `type` of an event. Returns `undefined` if it cannot be read, because any value may arrive. */
function typeOf(event: unknown): unknown {
  try {
    return (event as { readonly type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

function fold(state: SessionState, event: SessionEvent): SessionState {
  if (event.isImplied === true) return state;
  const row = FOLDS[event.type] as Row<never, never> | undefined;
  if (row === undefined) return withUnknown(state, event, "no such event");
  const { 0: change, 1: needs, 2: about } = row;
  for (const member in needs) {
    if (!needs[member]?.(event[member as "type"])) {
      return withUnknown(state, event, `${member} cannot be read`, event.at);
    }
  }
  return change(state, event as never, about as never);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";

function isPlan(value: unknown): boolean {
  const plan = value as { readonly [member: string]: unknown } | null | undefined;
  return isText(plan?.planId) && isText(plan?.type) && (plan?.type !== "items" || Array.isArray(plan.entries));
}

/**
 * Row of the table of events: the function, the checks of required members, and the role or kind of the item. The role
 * or kind is set if the event itself does not contain it. The checks are needed for events that no codec made.
 */
type Row<T, A> = readonly [
  change: (state: SessionState, event: T, about: A) => SessionState,
  needs?: { readonly [member: string]: (value: unknown) => boolean },
  about?: MessageRole | Kind,
];

type Rows = { readonly [T in SessionEvent["type"]]: Row<SessionEvent & { type: T }, never> };

const MESSAGE = { messageId: isText };
const CHUNK = { content: isContentBlock };

const FOLDS: Rows & { readonly __proto__: null } = {
  __proto__: null,
  agent_message_chunk: [foldChunk, CHUNK, "agent"],
  agent_thought_chunk: [foldChunk, CHUNK, "thought"],
  user_message_chunk: [foldChunk, CHUNK, "user"],
  agent_message: [foldMessage, MESSAGE, "agent"],
  agent_thought: [foldMessage, MESSAGE, "thought"],
  user_message: [foldMessage, MESSAGE, "user"],
  tool_call_update: [foldToolCall, { toolCallId: isText }],
  tool_call_content_chunk: [addToKind, { toolCallId: isText, content: isToolCallContent }, TOOL_CALL_KIND],
  terminal_update: [foldTerminal, { terminalId: isText }],
  terminal_output_chunk: [foldTerminalOutput, { terminalId: isText }],
  plan_update: [foldPlan, { plan: isPlan }],
  plan_removed: [foldPlanRemoved],
  state_update: [foldStateUpdate, { state: isText }],
  usage_update: [foldUsage, { used: isNumber, size: isNumber }],
  // A notice is shown at its place. Equal notices are separate entries.
  notice: [(state, { extra: _, ...notice }) => withNumbered(state, stated(notice)), { title: isText }],
  compaction_update: [patchKind, { compactionId: isText }, COMPACTION_KIND],
  compaction_summary_chunk: [addToKind, { compactionId: isText, content: isContentBlock }, COMPACTION_KIND],
  session_message: [patchKind, MESSAGE, SESSION_MESSAGE_KIND],
  session_message_chunk: [addToKind, { messageId: isText, content: isContentBlock }, SESSION_MESSAGE_KIND],
  subagent_update: [
    // The activity is replaced as a whole.
    (state, { state: activity, ...patch }) => patchKind(state, { ...patch, activity }, SUBAGENT_KIND),
    { sessionId: isText },
  ],
  available_commands_update: [foldCommands, { availableCommands: Array.isArray }],
  config_option_update: [foldConfigOptions, { configOptions: Array.isArray }],
  config_option_set: [foldConfigOptionSet],
  current_mode_update: [foldMode, { currentModeId: isText }],
  session_info_update: [foldInfo],
  unknown: [(state, { raw, reason, at }) => withUnknown(state, raw, reason, at)],
  session_opened: [foldOpened],
  session_closed: [foldSessionClosed],
  session_data: [(state) => state],
  child_session_event: [(state) => state],
  prompt_sent: [foldPromptSent, { promptId: isText }],
  prompt_accepted: [foldPromptAccepted],
  prompt_failed: [foldPromptFailed],
  turn_started: [foldTurnStarted],
  turn_ended: [foldTurnEnded],
  cancel_asked: [foldCancelAsked],
  permission_asked: [foldPermissionAsked, { requestId: isText, title: isText, options: Array.isArray }],
  permission_answered: [foldPermissionAnswered],
  elicitation_asked: [foldElicitationAsked, { requestId: isText, message: isText, mode: isText }],
  elicitation_answered: [foldElicitationAnswered],
  elicitation_completed: [foldElicitationCompleted],
  replay_started: [foldReplayStarted],
  state_restored: [foldRestored, { member: isText }],
  replay_complete: [foldReplayComplete],
  replay_ended: [foldReplayEnded],
};

/**
 * Starts a replay. The conversation arrives again from its beginning, so the entries are removed. With `keeps`, the
 * session is restored without a replay, and the entries stay.
 */
function foldReplayStarted(state: SessionState, { keeps }: { readonly keeps?: boolean }): SessionState {
  const { timeline, terminals, plans, subagents } = keeps === true ? state : createSessionState();
  const next = changed(state, { timeline, terminals, plans, subagents, replaying: true, history: undefined });
  const unechoed = keeps === true ? state.internal.unechoed : [];
  return remember(next, { unechoed, updatedLists: NOT_UPDATED, ...COMPLETE });
}

/** Marks the end of the history. A marker without a replay, and a second marker, change nothing. */
// P-REPLAY-06, P-REPLAY-15
function foldReplayComplete(state: SessionState): SessionState {
  if (!state.replaying || state.history) return noted(state, "an unexpected end of a replay");
  const end = state.timeline.at(-1)?.key;
  return changed(state, { history: end === undefined ? {} : { end } });
}

/** Ends a replay. Without a marker, all current entries are history. */
// P-REPLAY-08
function foldReplayEnded(state: SessionState): SessionState {
  const complete = state.replaying && !state.history ? foldReplayComplete(state) : state;
  return remember(changed(complete, { replaying: false }), COMPLETE);
}
