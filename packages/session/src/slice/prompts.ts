import { bytesOf } from "../bytes.js";
import { changed, noted, remember } from "../change.js";
import type { ContentBlock } from "../content.js";
import { isContentBlock } from "../entity.js";
import type { Entry, MessageEntry } from "../entry.js";
import type { EventOf, MessageChunk, MessageUpsert } from "../event.js";
import { filtered } from "../keyed-list.js";
import { same } from "../patch.js";
import { sequenceOf } from "../persistent-list.js";
import type { SessionState } from "../state.js";
import { messageKey, promptKey, withEntry, withNew } from "../timeline.js";
import type { PersistentList, Vector } from "../vector.js";
import { messageEntry } from "./message-entry.js";

/** Message that is a prompt of this side. */
export type Prompt = MessageEntry & Required<Pick<MessageEntry, "prompt">>;

/**
 * Maximum number of prompts without an echo, and of open prompts. Some agents never send an echo. An echo never arrives
 * so late that it could belong to an older prompt.
 */
export const UNECHOED = 100;

const promptOf = ({ timeline }: SessionState, promptId: string): Prompt | undefined =>
  timeline.get(promptKey(promptId)) as Prompt | undefined;

const shownOf = (content: readonly ContentBlock[]): PersistentList<ContentBlock> =>
  sequenceOf(content.filter(isContentBlock));

/** Adds a prompt of this side immediately, before the agent has answered. */
// P-IDEM-14
export function foldPromptSent(
  state: SessionState,
  { promptId, content, at, idempotencyKey }: EventOf<"prompt_sent">,
): SessionState {
  const known = promptOf(state, promptId);
  const keyed = idempotencyKey === undefined ? undefined : { idempotencyKey };
  const sent = { promptId, status: "sent", ...keyed } as const;
  if (known !== undefined) {
    const isAttempt = keyed !== undefined && known.prompt.idempotencyKey === idempotencyKey;
    if (!isAttempt) return noted(state, "prompt sent twice", promptId);
    if (known.prompt.status !== "failed") return state;
    const unechoed = [...state.internal.unechoed.slice(1 - UNECHOED), known.key];
    // The refusal released the key, so the content may differ (P-IDEM-07).
    const again = { ...known, content: shownOf(content), dropped: undefined, prompt: sent };
    return remember(withEntry(state, again), { unechoed });
  }
  const key = promptKey(promptId);
  const entry = messageEntry({ key, role: "user", at }, { content: shownOf(content), prompt: sent });
  const unechoed = [...state.internal.unechoed.slice(1 - UNECHOED), key];
  return withNew(state, entry, { openMessage: undefined, unechoed });
}

/** Applies the agent's acceptance of a prompt. The event may contain the id of the message that the prompt became. */
export function foldPromptAccepted(
  state: SessionState,
  { promptId, messageId: named }: Omit<EventOf<"prompt_accepted">, "type">,
): SessionState {
  const entry = promptOf(state, promptId);
  if (entry === undefined) return state;
  const messageId = typeof named === "string" ? named : entry.messageId;
  if (entry.messageId !== undefined && messageId !== entry.messageId) {
    return noted(state, "prompt accepted under another id than its echo had", messageId);
  }
  const prompt = { ...entry.prompt, status: "accepted" } as const;
  const echo = messageId === undefined ? entry : (state.timeline.get(messageKey("user", messageId)) ?? entry);
  if (echo === entry) {
    // The name of the prompt stays, so only the status differs. If the prompt was accepted before, nothing differs.
    const grown = messageId === entry.messageId ? bytesOf(prompt) - bytesOf(entry.prompt) : undefined;
    return grown === 0 ? state : withEntry(state, messageEntry(entry, { messageId, prompt }), grown);
  }
  // The agent's message arrived before the event that connects its id with this prompt. The agent's message stays at
  // its place, and this side's copy is removed.
  const next = without(withEntry(state, { ...(echo as MessageEntry), prompt }), entry);
  return expectingNoEcho(next, entry.key);
}

/**
 * Applies the agent's refusal of a prompt. The prompt stays in the timeline with its error, and no echo is expected.
 */
export function foldPromptFailed(state: SessionState, { promptId, error }: EventOf<"prompt_failed">): SessionState {
  const entry = promptOf(state, promptId);
  if (entry === undefined) return state;
  const next = withEntry(state, { ...entry, prompt: { ...entry.prompt, status: "failed", error } });
  return expectingNoEcho(next, entry.key);
}

/**
 * Ends the turn of a prompt. If no echo has arrived, this side's own message is the final one. A refused prompt stays
 * refused.
 */
// V2-SEED-09
export function settlePrompt(state: SessionState, promptId: string): SessionState {
  if (promptOf(state, promptId)?.prompt.status === "failed") return state;
  return expectingNoEcho(foldPromptAccepted(state, { promptId }), promptKey(promptId));
}

/** Returns `true` for a prompt whose content still comes from this side, because the agent has not echoed it. */
export const isLocal = ({ internal }: SessionState, { key }: Entry): boolean => internal.unechoed.includes(key);

/**
 * Member of `_meta` of a user's message with the name of its author. A gateway sets it, because several clients send prompts
 * to one session.
 */
export const AUTHOR = "turnkit.author";

/**
 * Returns the prompt that a user message of the agent echoes. The message has a new id or none. A message with an author may
 * come from another client. It is an echo only if it is whole and has the content of the prompt.
 */
// SHARE-07
export function unechoedPrompt(
  { internal, timeline }: SessionState,
  update: MessageChunk | MessageUpsert,
): Prompt | undefined {
  const prompts = internal.unechoed.map((key) => timeline.get(key) as Prompt | undefined);
  const isWaiting = (entry: Prompt | undefined): entry is Prompt =>
    entry !== undefined && entry.messageId === undefined;
  if (update._meta == null || !Object.hasOwn(update._meta, AUTHOR)) return prompts.find(isWaiting);
  const { content } = update;
  if (!Array.isArray(content)) return undefined;
  return prompts.find((entry): entry is Prompt => isWaiting(entry) && same(entry.content.toArray(), content));
}

/** Merges the agent's echo into a prompt. From then on, the agent's version of the message counts. */
export function withEcho(
  state: SessionState,
  entry: Prompt,
  messageId: string | undefined,
  content = entry.content,
): SessionState {
  const prompt = { ...entry.prompt, status: "accepted" } as const;
  const merged = messageEntry(entry, { messageId, content, prompt });
  const next = inAgentsOrder(expectingNoEcho(withEntry(state, merged), entry.key), merged);
  return remember(next, { openMessage: messageId === undefined ? entry.key : undefined });
}

/**
 * Moves an echoed prompt after the entries that were added since the prompt was sent.
 *
 * - Later prompts that the agent has not echoed are moved too, so that prompts stay in order.
 * - If the agent has already placed a later prompt by its id, the move ends there.
 * - If no updates report the activity, a prompt is a turn, and stays at the start of the turn.
 */
// V2-UPD-14, V2-PRM-02, V2-PRM-06
function inAgentsOrder(state: SessionState, echoed: MessageEntry): SessionState {
  const timeline = state.timeline as Vector<Entry>;
  if (!state.internal.stateReported) return state;
  const start = timeline.indexOf(echoed.key);
  const prompts: Entry[] = [echoed];
  const others: Entry[] = [];
  let end = start + 1;
  for (; end < timeline.length; end++) {
    const entry = timeline.at(end) as Entry;
    const waits = entry.type === "message" && isLocal(state, entry);
    if (waits && entry.messageId !== undefined) break;
    (waits || isRefused(entry) ? prompts : others).push(entry);
  }
  if (others.length === 0) return state;
  const all = timeline.toArray();
  return changed(state, { timeline: timeline.of([...all.slice(0, start), ...others, ...prompts, ...all.slice(end)]) });
}

/** Returns `true` for a prompt that the agent has refused and never echoed. */
// V2-PRM-05
const isRefused = (entry: Entry): boolean =>
  entry.type === "message" && entry.prompt?.status === "failed" && entry.messageId === undefined;

function without(state: SessionState, entry: Entry): SessionState {
  return changed(state, { timeline: filtered(state.timeline, (other) => other !== entry) });
}

function expectingNoEcho(state: SessionState, key: string): SessionState {
  if (!state.internal.unechoed.includes(key)) return state;
  return remember(state, { unechoed: state.internal.unechoed.filter((other) => other !== key) });
}
