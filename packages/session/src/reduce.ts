import { withinBound } from "./bound.js";
import { forget } from "./create-session-state.js";
import { type Draft, draftOf, note, remember, setTimeline, settled } from "./draft.js";
import { isContentBlock } from "./entity.js";
import type { MessageRole, SessionEvent } from "./event.js";
import { keyedOf } from "./keyed.js";
import { stated } from "./patch.js";
import { emptySequence } from "./sequence.js";
import {
  foldCancelAsked,
  foldSessionClosed,
  foldStateUpdate,
  foldTurnEnded,
  foldTurnStarted,
} from "./slice/activity.js";
import { foldPlan, foldPlanRemoved, foldSubagent } from "./slice/listed.js";
import { foldChunk, foldMessage } from "./slice/messages.js";
import { foldPromptAccepted, foldPromptFailed, foldPromptSent } from "./slice/prompts.js";
import {
  foldElicitationAnswered,
  foldElicitationAsked,
  foldElicitationCompleted,
  foldPermissionAnswered,
  foldPermissionAsked,
} from "./slice/questions.js";
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
import { foldToolCall, isToolCallContent, TOOL_CALL } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { addNumbered, addToEntry, type EntryKind, entryNaming, keepUnknown, patchEntry } from "./timeline.js";

/**
 * The state after one more event. Pure: the state before stays valid, an entry or list that did not change keeps its
 * identity, and an event that changes nothing gives the same state back. Total: it never throws; what it cannot make
 * sense of is kept as an `unknown` entry or noted in `anomalies`. Costs constant time, spread over many events.
 */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  try {
    const draft = draftOf(state);
    const next = fold(draft, event) === true ? draft : settled(state, draft);
    return next.bytes > next.limits.stateBytes ? withinBound(next) : next;
  } catch {
    // An event that no codec made, with members of types that nobody foresaw.
    const draft = draftOf(state);
    note(draft, "an event could not be folded", (event as { readonly type?: unknown } | null)?.type);
    return draft;
  }
}

/** {@link reduce} for several events. */
export function reduceAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  let next = state;
  for (const event of events) next = reduce(next, event);
  return next;
}

function fold(draft: Draft, event: SessionEvent): unknown {
  const row = FOLDS[event.type] as Row<never, never> | undefined;
  if (row === undefined) return keepUnknown(draft, event, "no such event");
  const { 0: change, 1: needs, 2: about } = row;
  for (const member in needs) {
    if (!needs[member]?.(event[member as "type"])) {
      return keepUnknown(draft, event, `${member} does not read`, event.at);
    }
  }
  return change(draft, event as never, about as never);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";

function isPlan(value: unknown): boolean {
  const plan = value as { readonly [member: string]: unknown } | null | undefined;
  return isText(plan?.planId) && isText(plan?.type) && (plan?.type !== "items" || Array.isArray(plan.entries));
}

/** A compaction; the first update for an id fixes its place, later ones patch it there (V1-UPD-38). */
const COMPACTION: EntryKind = {
  type: "compaction",
  id: "compactionId",
  fresh: { status: "in_progress", summary: /* @__PURE__ */ emptySequence() },
  list: "summary",
  lists: { summary: isContentBlock },
};

/** A message between sessions; the first update for an id fixes its place, later ones patch it there (V2-UPD-28). */
const SESSION_MESSAGE: EntryKind = {
  type: "session_message",
  id: "messageId",
  fresh: { content: /* @__PURE__ */ emptySequence() },
  list: "content",
  lists: { content: isContentBlock },
};

/**
 * How an event is folded (`true` where only entries changed), what it cannot do without (no codec
 * leaves that out, but events need not come from one), and what it is about where that is not in it.
 */
type Row<T, A> = readonly [
  change: (draft: Draft, event: T, about: A) => unknown,
  needs?: { readonly [member: string]: (value: unknown) => boolean },
  about?: MessageRole | EntryKind,
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
  tool_call_content_chunk: [addToEntry, { toolCallId: isText, content: isToolCallContent }, TOOL_CALL],
  terminal_update: [foldTerminal, { terminalId: isText }],
  terminal_output_chunk: [foldTerminalOutput, { terminalId: isText }],
  plan_update: [foldPlan, { plan: isPlan }],
  plan_removed: [foldPlanRemoved],
  state_update: [foldStateUpdate, { state: isText }],
  usage_update: [foldUsage, { used: isNumber, size: isNumber }],
  notice: [foldNotice, { title: isText }],
  compaction_update: [patchEntry, { compactionId: isText, status: isText }, COMPACTION],
  compaction_summary_chunk: [addToEntry, { compactionId: isText, content: isContentBlock }, COMPACTION],
  session_message: [patchEntry, MESSAGE, SESSION_MESSAGE],
  session_message_chunk: [addToEntry, { messageId: isText, content: isContentBlock }, SESSION_MESSAGE],
  subagent_update: [foldSubagent, { sessionId: isText }],
  available_commands_update: [foldCommands, { availableCommands: Array.isArray }],
  config_option_update: [foldConfigOptions, { configOptions: Array.isArray }],
  config_option_set: [foldConfigOptionSet],
  current_mode_update: [foldMode, { currentModeId: isText }],
  session_info_update: [foldInfo],
  unknown: [(draft, { raw, reason, at }) => keepUnknown(draft, raw, reason, at)],
  session_opened: [foldOpened],
  session_closed: [foldSessionClosed],
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
  replay_ended: [
    (draft) => {
      draft.replaying = false;
      remember(draft, { openMessage: undefined });
    },
  ],
};

/** Shows a notice where it came. Equal notices are separate. */
function foldNotice(draft: Draft, { extra: _, ...notice }: SessionEvent & { type: "notice" }): void {
  addNumbered(draft, stated(notice));
}

/**
 * What follows tells the conversation from its start. With `keeps` nothing of it is told again; the answer that ends
 * the restore brings the session's lists anew.
 */
function foldReplayStarted(draft: Draft, { keeps }: { readonly keeps?: boolean }): void {
  if (keeps !== true) {
    forget(draft, "terminals", "plans", "subagents");
    setTimeline(draft, keyedOf(entryNaming));
    remember(draft, { unechoed: [] });
  }
  draft.replaying = true;
  remember(draft, { openMessage: undefined, updatedLists: NOT_UPDATED });
}
