import type { ContentBlock } from "../content.js";
import { type Draft, note, remember, setTimeline } from "../draft.js";
import { isContentBlock } from "../entity.js";
import type { MessageEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered } from "../keyed.js";
import { type Sequence, sequenceOf } from "../sequence.js";
import { addEntry, messageKey, promptKey, setEntry } from "../timeline.js";

type Event<T extends string> = SessionEvent & { type: T };

/** Shows a prompt of this side at once, before the agent says anything about it. */
export function foldPromptSent(draft: Draft, { promptId, content, at }: Event<"prompt_sent">): void {
  const key = promptKey(promptId);
  if (draft.timeline.has(key)) return note(draft, "prompt sent twice", promptId);
  const entry: MessageEntry = {
    type: "message",
    key,
    role: "user",
    content: sequenceOf(content.filter(isContentBlock)),
    prompt: { promptId, status: "sent" },
    at,
  };
  addEntry(draft, entry, { openMessage: undefined, unechoed: [...draft.internal.unechoed, key] });
}

/** The agent took the prompt; it may name the message that it became. */
export function foldPromptAccepted(draft: Draft, event: Omit<Event<"prompt_accepted">, "type">): void {
  const { timeline } = draft;
  const position = timeline.indexOf(promptKey(event.promptId));
  const entry = promptAt(draft, position);
  if (entry === undefined) return;
  const messageId = typeof event.messageId === "string" ? event.messageId : entry.messageId;
  if (entry.messageId !== undefined && messageId !== entry.messageId) {
    return note(draft, "prompt accepted under another id than its echo had", messageId);
  }
  if (entry.prompt.status === "accepted" && messageId === entry.messageId) return;
  const prompt = { ...entry.prompt, status: "accepted" } as const;
  const echo = messageId === undefined ? -1 : timeline.indexOf(messageKey("user", messageId));
  if (echo < 0 || echo === position) return setEntry(draft, position, { ...entry, messageId, prompt });
  // The agent's message came before its id was known to be this prompt's: keep its place, drop this side's double.
  setEntry(draft, echo, { ...(timeline.at(echo) as MessageEntry), prompt });
  setTimeline(
    draft,
    filtered(draft.timeline, (_, at) => at !== position),
  );
  expectNoEcho(draft, entry.key);
}

/** The agent refused the prompt: it stays in sight, marked, and no echo is expected any more. */
export function foldPromptFailed(draft: Draft, { promptId, error }: Event<"prompt_failed">): void {
  const position = draft.timeline.indexOf(promptKey(promptId));
  const entry = promptAt(draft, position);
  if (entry === undefined) return;
  setEntry(draft, position, { ...entry, prompt: { ...entry.prompt, status: "failed", error } });
  expectNoEcho(draft, entry.key);
}

/** Its turn is over: if the agent sent no echo until now, this side's own message is the final one (V2-SEED-09). */
export function settlePrompt(draft: Draft, promptId: string): void {
  foldPromptAccepted(draft, { promptId });
  expectNoEcho(draft, promptKey(promptId));
}

/** Whether an entry is a prompt whose content is this side's own, not yet the agent's. */
export function isLocal({ internal }: Draft, key: string | undefined): boolean {
  return internal.unechoed.length > 0 && internal.unechoed.includes(key as string);
}

/** Position of the prompt that a user message of the agent with a new id, or with none, is the echo of; or -1. */
export function unechoedPosition(draft: Draft): number {
  const positions = draft.internal.unechoed.map((key) => draft.timeline.indexOf(key));
  const isUnnamed = (entry: Prompt | undefined) => entry !== undefined && entry.messageId === undefined;
  return positions.find((position) => isUnnamed(promptAt(draft, position))) ?? -1;
}

/** Merges the agent's echo into the prompt at a position: what the agent says of the message counts from here on. */
export function mergeEcho(
  draft: Draft,
  position: number,
  messageId: string | undefined,
  content?: Sequence<ContentBlock>,
): void {
  const entry = draft.timeline.at(position) as MessageEntry;
  const merged: MessageEntry = {
    ...entry,
    messageId: messageId ?? entry.messageId,
    content: content ?? entry.content,
    prompt: entry.prompt && { ...entry.prompt, status: "accepted" },
  };
  setEntry(draft, position, merged);
  expectNoEcho(draft, entry.key);
  if (belongsLater(draft, position)) {
    const others = filtered(draft.timeline, (other) => other !== merged);
    setTimeline(draft, addTo(others, merged));
  }
  remember(draft, { openMessage: messageId === undefined ? entry.key : undefined });
}

/**
 * Where the session's state is reported, a prompt may wait while the agent works on; its place is then where the agent
 * puts it. Elsewhere a prompt is a turn, and its place is where that began.
 */
function belongsLater(draft: Draft, position: number): boolean {
  if (!draft.internal.stateReported) return false;
  for (let later = position + 1; later < draft.timeline.length; later++) {
    if (!isLocal(draft, draft.timeline.at(later)?.key)) return true;
  }
  return false;
}

type Prompt = MessageEntry & Required<Pick<MessageEntry, "prompt">>;

function promptAt({ timeline }: Draft, position: number): Prompt | undefined {
  const entry = position < 0 ? undefined : timeline.at(position);
  return entry?.type === "message" && entry.prompt !== undefined ? (entry as Prompt) : undefined;
}

function expectNoEcho(draft: Draft, key: string): void {
  remember(draft, { unechoed: draft.internal.unechoed.filter((other) => other !== key) });
}
