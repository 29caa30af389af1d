import { withinBound } from "./bound.js";
import { bytesOf } from "./bytes.js";
import type { SessionEvent } from "./event.js";
import { keyedOf } from "./keyed.js";
import { changed } from "./patch.js";
import {
  foldSessionClosed,
  foldStateUpdate,
  foldTurnEnded,
  foldTurnStarted,
  withCancelAsked,
} from "./slice/activity.js";
import { foldCompaction, foldCompactionChunk } from "./slice/compaction.js";
import {
  foldElicitationAnswered,
  foldElicitationAsked,
  foldElicitationCompleted,
  withElicitations,
} from "./slice/elicitations.js";
import { foldChunk, foldMessage } from "./slice/messages.js";
import { foldNotice, foldUnknown } from "./slice/notices.js";
import { foldPlan, foldPlanRemoved, planNaming } from "./slice/plans.js";
import { foldPromptAccepted, foldPromptFailed, foldPromptSent } from "./slice/prompts.js";
import { foldPermissionAnswered, foldPermissionAsked, withPending } from "./slice/requests.js";
import { foldSessionMessage, foldSessionMessageChunk } from "./slice/session-messages.js";
import {
  foldCommands,
  foldConfigOptionSet,
  foldConfigOptions,
  foldInfo,
  foldMode,
  foldOpened,
  foldUsage,
} from "./slice/settings.js";
import { foldSubagent, subagentNaming } from "./slice/subagents.js";
import { foldTerminal, foldTerminalOutput, terminalBytes, terminalNaming } from "./slice/terminals.js";
import { cancelToolCalls, foldToolCall, foldToolCallChunk } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { entryBytes, entryNaming, remembering, withAnomaly } from "./timeline.js";

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
  switch (event.type) {
    case "agent_message_chunk":
      return foldChunk(state, event, "agent");
    case "agent_thought_chunk":
      return foldChunk(state, event, "thought");
    case "user_message_chunk":
      return foldChunk(state, event, "user");
    case "tool_call_update":
      return foldToolCall(state, event, event.at);
    case "tool_call_content_chunk":
      return foldToolCallChunk(state, event);
    case "terminal_output_chunk":
      return foldTerminalOutput(state, event);
    case "terminal_update":
      return foldTerminal(state, event);
    case "agent_message":
      return foldMessage(state, event, "agent");
    case "agent_thought":
      return foldMessage(state, event, "thought");
    case "user_message":
      return foldMessage(state, event, "user");
    case "plan_update":
      return foldPlan(state, event);
    case "plan_removed":
      return foldPlanRemoved(state, event.planId);
    case "usage_update":
      return foldUsage(state, event);
    case "state_update":
      return foldStateUpdate(state, event);
    case "notice":
      return foldNotice(state, event);
    case "compaction_update":
      return foldCompaction(state, event);
    case "compaction_summary_chunk":
      return foldCompactionChunk(state, event);
    case "session_message_chunk":
      return foldSessionMessageChunk(state, event);
    case "session_message":
      return foldSessionMessage(state, event);
    case "subagent_update":
      return foldSubagent(state, event);
    case "unknown":
      return foldUnknown(state, event.raw, event.reason, event.at);
    default:
      return foldRare(state, event);
  }
}

type Rare = Extract<
  SessionEvent,
  {
    readonly type:
      | "available_commands_update"
      | "config_option_update"
      | "config_option_set"
      | "current_mode_update"
      | "session_info_update"
      | "session_opened"
      | "session_closed"
      | "prompt_sent"
      | "prompt_accepted"
      | "prompt_failed"
      | "turn_started"
      | "turn_ended"
      | "cancel_asked"
      | "permission_asked"
      | "permission_answered"
      | "elicitation_asked"
      | "elicitation_answered"
      | "elicitation_completed"
      | "replay_started"
      | "replay_ended";
  }
>;

/** What comes once in a while, most of it from this side. */
function foldRare(state: SessionState, event: Rare): SessionState {
  switch (event.type) {
    case "available_commands_update":
      return foldCommands(state, event);
    case "config_option_update":
      return foldConfigOptions(state, event);
    case "config_option_set":
      return foldConfigOptionSet(state, event);
    case "current_mode_update":
      return foldMode(state, event);
    case "session_info_update":
      return foldInfo(state, event);
    case "session_opened":
      return foldOpened(state, event);
    case "session_closed":
      return withElicitations(withPending(foldSessionClosed(state), []), []);
    case "prompt_sent":
      return foldPromptSent(state, event);
    case "prompt_accepted":
      return foldPromptAccepted(state, event);
    case "prompt_failed":
      return foldPromptFailed(state, event);
    case "turn_started":
      return foldTurnStarted(state, event);
    case "turn_ended":
      return foldTurnEnded(state, event);
    case "cancel_asked":
      return withCancelAsked(cancelToolCalls(state));
    case "permission_asked":
      return foldPermissionAsked(state, event);
    case "permission_answered":
      return foldPermissionAnswered(state, event.requestId);
    case "elicitation_asked":
      return foldElicitationAsked(state, event);
    case "elicitation_answered":
      return foldElicitationAnswered(state, event);
    case "elicitation_completed":
      return foldElicitationCompleted(state, event.elicitationId);
    case "replay_started":
      return event.keeps === true ? withConversation(state) : withoutConversation(state);
    case "replay_ended":
      return remembering(changed(state, { replaying: false }), { openMessage: undefined });
    default:
      return foldUnknown(state, event satisfies never, "no such event");
  }
}

/** What follows tells the conversation from its start. */
function withoutConversation(state: SessionState): SessionState {
  const most = state.limits.stateBytes;
  let { bytes } = state;
  for (const entry of state.timeline) bytes -= entryBytes(entry, most);
  for (const terminal of state.terminals) bytes -= terminalBytes(terminal, most);
  for (const plan of state.plans) bytes -= bytesOf(plan, most);
  for (const subagent of state.subagents) bytes -= bytesOf(subagent, most);
  const next: SessionState = {
    ...state,
    timeline: keyedOf(entryNaming),
    terminals: keyedOf(terminalNaming),
    plans: keyedOf(planNaming),
    subagents: keyedOf(subagentNaming),
    replaying: true,
    bytes,
  };
  return remembering(next, { openMessage: undefined, unechoed: [], updatedLists: NOT_UPDATED });
}

/** Nothing of the conversation is told again; the answer that ends the restore brings the session's lists anew. */
function withConversation(state: SessionState): SessionState {
  return remembering(changed(state, { replaying: true }), { openMessage: undefined, updatedLists: NOT_UPDATED });
}

const NOT_UPDATED = { commands: false, options: false };
