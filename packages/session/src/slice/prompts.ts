import type { ContentBlock } from "../content.js";
import { isContentBlock } from "../entity.js";
import type { MessageEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered } from "../keyed.js";
import { type Sequence, sequenceOf } from "../sequence.js";
import type { SessionState } from "../state.js";
import { messageKey, promptKey, remembering, updated, withAnomaly, withChangedEntry, withEntry } from "../timeline.js";

type Event<T extends string> = SessionEvent & { type: T };

/** Shows a prompt of this side at once, before the agent says anything about it. */
export function foldPromptSent(state: SessionState, { promptId, content, at }: Event<"prompt_sent">): SessionState {
  const key = promptKey(promptId);
  if (state.timeline.has(key)) return withAnomaly(state, "prompt sent twice", promptId);
  const entry: MessageEntry = {
    type: "message",
    key,
    role: "user",
    content: sequenceOf(Array.isArray(content) ? content.filter(isContentBlock) : []),
    prompt: { promptId, status: "sent" },
    at,
  };
  return withEntry(state, entry, { openMessage: undefined, unechoed: [...state.internal.unechoed, key] });
}

/** The agent took the prompt; it may name the message that it became. */
export function foldPromptAccepted(state: SessionState, event: Event<"prompt_accepted">): SessionState {
  const position = state.timeline.indexOf(promptKey(event.promptId));
  const entry = promptAt(state, position);
  if (entry === undefined) return state;
  const messageId = typeof event.messageId === "string" ? event.messageId : entry.messageId;
  if (entry.messageId !== undefined && messageId !== entry.messageId) {
    return withAnomaly(state, "prompt accepted under another id than its echo had", messageId);
  }
  if (entry.prompt.status === "accepted" && messageId === entry.messageId) return state;
  const accepted: MessageEntry = { ...entry, messageId, prompt: { ...entry.prompt, status: "accepted" } };
  const echo = messageId === undefined ? -1 : state.timeline.indexOf(messageKey("user", messageId));
  if (echo < 0 || echo === position) return withChangedEntry(state, position, accepted);
  // The agent's message came before its id was known to be this prompt's: keep its place, drop this side's double.
  const other = state.timeline.at(echo) as MessageEntry;
  const { timeline } = withChangedEntry(state, echo, { ...other, prompt: accepted.prompt });
  return withoutUnechoed(updated(state, { timeline: filtered(timeline, (_, at) => at !== position) }), entry.key);
}

/** The agent refused the prompt: it stays in sight, marked, and no echo is expected any more. */
export function foldPromptFailed(state: SessionState, { promptId, error }: Event<"prompt_failed">): SessionState {
  const key = promptKey(promptId);
  const position = state.timeline.indexOf(key);
  const entry = promptAt(state, position);
  if (entry === undefined) return state;
  const failed: MessageEntry = { ...entry, prompt: { ...entry.prompt, status: "failed", error } };
  return withoutUnechoed(withChangedEntry(state, position, failed), key);
}

/** Its turn is over: if the agent sent no echo until now, this side's own message is the final one (V2-SEED-09). */
export function settlePrompt(state: SessionState, promptId: string): SessionState {
  return withoutUnechoed(foldPromptAccepted(state, { type: "prompt_accepted", promptId }), promptKey(promptId));
}

/** Whether an entry is a prompt whose content is this side's own, not yet the agent's. */
export function isLocal(state: SessionState, key: string | undefined): boolean {
  const { unechoed } = state.internal;
  return unechoed.length > 0 && unechoed.includes(key as string);
}

/** Position of the prompt that a user message of the agent with a new id, or with none, is the echo of; or -1. */
export function unechoedPosition(state: SessionState): number {
  const positions = state.internal.unechoed.map((key) => state.timeline.indexOf(key));
  return positions.find((position) => promptAt(state, position) && !promptAt(state, position)?.messageId) ?? -1;
}

/** Merges the agent's echo into the prompt at a position: what the agent says of the message counts from here on. */
export function echoOf(
  state: SessionState,
  position: number,
  messageId: string | undefined,
  content?: Sequence<ContentBlock>,
): SessionState {
  const entry = state.timeline.at(position) as MessageEntry;
  const merged: MessageEntry = {
    ...entry,
    messageId: messageId ?? entry.messageId,
    content: content ?? entry.content,
    prompt: entry.prompt && { ...entry.prompt, status: "accepted" },
  };
  let next = withoutUnechoed(withChangedEntry(state, position, merged), entry.key);
  if (belongsLater(next, position)) {
    const others = filtered(next.timeline, (other) => other !== merged);
    next = updated(next, { timeline: addTo(others, merged) });
  }
  return remembering(next, { openMessage: messageId === undefined ? entry.key : undefined });
}

/**
 * Where the session's state is reported, a prompt may wait while the agent works on; its place is then where the agent
 * puts it. Elsewhere a prompt is a turn, and its place is where that began.
 */
function belongsLater(state: SessionState, position: number): boolean {
  if (!state.internal.stateReported) return false;
  for (let later = position + 1; later < state.timeline.length; later++) {
    if (!isLocal(state, state.timeline.at(later)?.key)) return true;
  }
  return false;
}

type Prompt = MessageEntry & Required<Pick<MessageEntry, "prompt">>;

function promptAt(state: SessionState, position: number): Prompt | undefined {
  const entry = position < 0 ? undefined : state.timeline.at(position);
  return entry?.type === "message" && entry.prompt !== undefined ? (entry as Prompt) : undefined;
}

function withoutUnechoed(state: SessionState, key: string): SessionState {
  return remembering(state, { unechoed: state.internal.unechoed.filter((other) => other !== key) });
}
