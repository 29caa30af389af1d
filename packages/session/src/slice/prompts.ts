import { bytesOf, bytesOfAll } from "../bytes.js";
import type { ContentBlock } from "../content.js";
import type { MessageEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered } from "../keyed.js";
import { type Sequence, sequenceOf } from "../sequence.js";
import type { SessionState } from "../state.js";
import { entryBytes, messageKey, promptKey, withAnomaly, withChangedEntry, withEntry } from "../timeline.js";
import { isContentBlock } from "./lists.js";
import { foldUnknown } from "./notices.js";

type Event<T extends string> = SessionEvent & { type: T };

/** Shows a prompt of this side at once, before the agent says anything about it. */
export function foldPromptSent(state: SessionState, event: Event<"prompt_sent">): SessionState {
  if (typeof event.promptId !== "string") return foldUnknown(state, event, "a prompt needs an id", event.at);
  const key = promptKey(event.promptId);
  if (state.timeline.has(key)) return withAnomaly(state, "prompt sent twice", event.promptId);
  const content = sequenceOf(Array.isArray(event.content) ? event.content.filter(isContentBlock) : []);
  const entry: MessageEntry = {
    type: "message",
    key,
    role: "user",
    messageId: undefined,
    content,
    prompt: { promptId: event.promptId, status: "sent" },
    _meta: undefined,
    at: event.at,
  };
  const next = withEntry(state, entry);
  return { ...next, internal: { ...next.internal, unechoed: [...next.internal.unechoed, key] } };
}

/** The agent took the prompt; it may name the message that it became. */
export function foldPromptAccepted(state: SessionState, event: Event<"prompt_accepted">): SessionState {
  const position = state.timeline.indexOf(promptKey(event.promptId));
  const entry = state.timeline.at(position);
  if (position < 0 || entry?.type !== "message" || entry.prompt === undefined) return state;
  const { messageId } = event;
  const named = typeof messageId === "string" ? messageId : entry.messageId;
  if (entry.messageId !== undefined && named !== entry.messageId) {
    return withAnomaly(state, "prompt accepted under another id than its echo had", messageId);
  }
  if (entry.prompt.status === "accepted" && named === entry.messageId) return state;
  const accepted: MessageEntry = { ...entry, messageId: named, prompt: { ...entry.prompt, status: "accepted" } };
  const echo = named === undefined ? -1 : state.timeline.indexOf(messageKey("user", named));
  if (echo >= 0 && echo !== position) return withoutDouble(state, position, echo, accepted);
  return withChangedEntry(state, position, accepted, lengthOf(named) - lengthOf(entry.messageId));
}

/** The agent refused the prompt: it stays in sight, marked, and no echo is expected any more. */
export function foldPromptFailed(state: SessionState, event: Event<"prompt_failed">): SessionState {
  const key = promptKey(event.promptId);
  const position = state.timeline.indexOf(key);
  const entry = state.timeline.at(position);
  if (position < 0 || entry?.type !== "message" || entry.prompt === undefined) return state;
  const failed: MessageEntry = { ...entry, prompt: { ...entry.prompt, status: "failed", error: event.error } };
  const most = state.limits.stateBytes;
  const grown = bytesOf(event.error, most) - bytesOf(entry.prompt.error, most);
  return withoutUnechoed(withChangedEntry(state, position, failed, grown), key);
}

/** Its turn is over: if the agent sent no echo until now, this side's own message is the final one (V2-SEED-09). */
export function settlePrompt(state: SessionState, promptId: string): SessionState {
  return withoutUnechoed(foldPromptAccepted(state, { type: "prompt_accepted", promptId }), promptKey(promptId));
}

/** Whether an entry is a prompt whose content is this side's own, not yet the agent's. */
export function isLocal(state: SessionState, key: string | undefined): boolean {
  const { unechoed } = state.internal;
  return unechoed.length > 0 && key !== undefined && unechoed.includes(key);
}

/** Position of the prompt that a user message of the agent with a new id, or with none, is the echo of; or -1. */
export function unechoedPosition(state: SessionState): number {
  for (const key of state.internal.unechoed) {
    const position = state.timeline.indexOf(key);
    const entry = position < 0 ? undefined : state.timeline.at(position);
    if (entry?.type === "message" && entry.messageId === undefined) return position;
  }
  return -1;
}

/** Merges the agent's echo into the prompt at a position: what the agent says of the message counts from here on. */
export function echoOf(
  state: SessionState,
  position: number,
  messageId: string | undefined,
  content: Sequence<ContentBlock> | undefined,
): SessionState {
  const entry = state.timeline.at(position) as MessageEntry;
  const most = state.limits.stateBytes;
  const merged: MessageEntry = {
    ...entry,
    messageId: messageId ?? entry.messageId,
    content: content ?? entry.content,
    prompt: entry.prompt && { ...entry.prompt, status: "accepted" },
  };
  const grown =
    lengthOf(merged.messageId) -
    lengthOf(entry.messageId) +
    (content === undefined ? 0 : bytesOfAll(content, most) - bytesOfAll(entry.content, most));
  let next = withoutUnechoed(withChangedEntry(state, position, merged, grown), entry.key);
  if (belongsLater(next, position)) {
    next = {
      ...next,
      timeline: addTo(
        filtered(next.timeline, (other) => other !== merged),
        merged,
      ),
    };
  }
  const openMessage = messageId === undefined ? entry.key : undefined;
  return { ...next, internal: { ...next.internal, openMessage } };
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

/** The agent's message came before its id was known to be this prompt's: keep its place, drop this side's double. */
function withoutDouble(state: SessionState, position: number, echo: number, local: MessageEntry): SessionState {
  const other = state.timeline.at(echo);
  if (other?.type !== "message") return state;
  const merged: MessageEntry = { ...other, prompt: local.prompt };
  const bytes = state.bytes - entryBytes({ ...local, messageId: undefined }, state.limits.stateBytes);
  const next = withoutUnechoed(withChangedEntry({ ...state, bytes }, echo, merged, 0), local.key);
  return { ...next, timeline: filtered(next.timeline, (_, index) => index !== position) };
}

function withoutUnechoed(state: SessionState, key: string): SessionState {
  if (!isLocal(state, key)) return state;
  const unechoed = state.internal.unechoed.filter((other) => other !== key);
  return { ...state, internal: { ...state.internal, unechoed } };
}

const lengthOf = (text: string | undefined): number => text?.length ?? 0;
