import { withinBound } from "./bound.js";
import { createSessionState } from "./create-session-state.js";
import { add, isContentBlock, merge, replace, replaceBlocks, replaceOr } from "./entity.js";
import type { SessionEvent } from "./event.js";
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
import { foldToolCall, foldToolCallChunk, isToolCallContent } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { entryKind, remembering, updated, withAnomaly, withNumbered, withPatch, withUnknown } from "./timeline.js";

/**
 * The state after one more event. Pure: the state before stays valid, an entry or list that did not change keeps its
 * identity, and an event that changes nothing gives the same state back. Total: it never throws; what it cannot make
 * sense of is kept as an `unknown` entry or noted in `anomalies`. Costs constant time, spread over many events.
 */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  try {
    const next = fold(state, event);
    return next.bytes > next.limits.stateBytes ? withinBound(next) : next;
  } catch {
    // An event that no codec made, with members of types that nobody foresaw.
    return withAnomaly(state, "an event could not be folded", (event as { readonly type?: unknown } | null)?.type);
  }
}

/** {@link reduce} for several events. */
export function reduceAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  let next = state;
  for (const event of events) next = reduce(next, event);
  return next;
}

function fold(state: SessionState, event: SessionEvent): SessionState {
  const row = FOLDS[event.type] as Fold<never> | undefined;
  if (row === undefined) return withUnknown(state, event, "no such event");
  const needs = row[1];
  for (const member in needs) {
    if (!needs[member]?.(event[member as "type"])) {
      return withUnknown(state, event, `${event.type} lacks a sound ${member}`, event.at);
    }
  }
  return row[0](state, event as never);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";

function isPlan(value: unknown): boolean {
  const plan = value as { readonly [member: string]: unknown } | null | undefined;
  return isText(plan?.planId) && isText(plan?.type) && (plan?.type !== "items" || Array.isArray(plan.entries));
}

/** A compaction; the first update for an id fixes its place, later ones patch it there (V1-UPD-38). */
const COMPACTION = /* @__PURE__ */ entryKind("compaction", "compactionId", {
  status: /* @__PURE__ */ replaceOr("in_progress"),
  summary: replaceBlocks,
  error: replace,
  _meta: merge,
});

/** A message between sessions; the first update for an id fixes its place, later ones patch it there (V2-UPD-28). */
const SESSION_MESSAGE = /* @__PURE__ */ entryKind("session_message", "messageId", {
  senderSessionId: replace,
  recipientSessionId: replace,
  senderMessageId: replace,
  recipientMessageId: replace,
  content: replaceBlocks,
  _meta: merge,
});

/** How an event is folded, and what it cannot do without: no codec leaves that out, but events need not come from one. */
type Fold<T extends SessionEvent["type"]> = readonly [
  (state: SessionState, event: SessionEvent & { type: T }) => SessionState,
  { readonly [member: string]: (value: unknown) => boolean }?,
];

const FOLDS: { readonly [T in SessionEvent["type"]]: Fold<T> } & { readonly __proto__: null } = {
  __proto__: null,
  agent_message_chunk: [(state, event) => foldChunk(state, event, "agent")],
  agent_thought_chunk: [(state, event) => foldChunk(state, event, "thought")],
  user_message_chunk: [(state, event) => foldChunk(state, event, "user")],
  agent_message: [(state, event) => foldMessage(state, event, "agent"), { messageId: isText }],
  agent_thought: [(state, event) => foldMessage(state, event, "thought"), { messageId: isText }],
  user_message: [(state, event) => foldMessage(state, event, "user"), { messageId: isText }],
  tool_call_update: [foldToolCall, { toolCallId: isText }],
  tool_call_content_chunk: [foldToolCallChunk, { toolCallId: isText, content: isToolCallContent }],
  terminal_update: [foldTerminal, { terminalId: isText }],
  terminal_output_chunk: [foldTerminalOutput, { terminalId: isText }],
  plan_update: [foldPlan, { plan: isPlan }],
  plan_removed: [(state, { planId }) => foldPlanRemoved(state, planId)],
  state_update: [foldStateUpdate, { state: isText }],
  usage_update: [foldUsage, { used: isNumber, size: isNumber }],
  notice: [foldNotice, { title: isText }],
  compaction_update: [(state, event) => withPatch(state, COMPACTION, event), { compactionId: isText, status: isText }],
  compaction_summary_chunk: [
    (state, event) => withPatch(state, COMPACTION, { ...event, summary: event.content }, { summary: add }),
    { compactionId: isText, content: isContentBlock },
  ],
  session_message: [(state, event) => withPatch(state, SESSION_MESSAGE, event), { messageId: isText }],
  session_message_chunk: [
    (state, event) => withPatch(state, SESSION_MESSAGE, event, { content: add }),
    { messageId: isText, content: isContentBlock },
  ],
  subagent_update: [foldSubagent, { sessionId: isText }],
  available_commands_update: [foldCommands, { availableCommands: Array.isArray }],
  config_option_update: [foldConfigOptions, { configOptions: Array.isArray }],
  config_option_set: [foldConfigOptionSet],
  current_mode_update: [(state, { currentModeId }) => foldMode(state, currentModeId), { currentModeId: isText }],
  session_info_update: [foldInfo],
  unknown: [(state, { raw, reason, at }) => withUnknown(state, raw, reason, at)],
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
  replay_ended: [(state) => remembering(updated(state, { replaying: false }), { openMessage: undefined })],
};

/** Shows a notice where it came. Equal notices are separate. */
function foldNotice(state: SessionState, event: SessionEvent & { type: "notice" }): SessionState {
  const { type, severity, title, description, _meta, at } = event;
  const said = { description: description ?? undefined, _meta: _meta ?? undefined };
  return withNumbered(state, { type, severity, title, ...said, at });
}

/**
 * What follows tells the conversation from its start. With `keeps` nothing of it is told again; the answer that ends
 * the restore brings the session's lists anew.
 */
function foldReplayStarted(state: SessionState, { keeps }: { readonly keeps?: boolean }): SessionState {
  const { timeline, terminals, plans, subagents } = createSessionState();
  const emptied = keeps === true ? state : updated(state, { timeline, terminals, plans, subagents });
  const unechoed = keeps === true ? state.internal.unechoed : [];
  const memory = { openMessage: undefined, unechoed, updatedLists: NOT_UPDATED };
  return remembering(updated(emptied, { replaying: true }), memory);
}
