import { bytesOf, held } from "./bytes.js";
import { copyOf, remember } from "./change.js";
import type { Entry, NoticeEntry, UnknownEntry } from "./entry.js";
import type { MessageRole } from "./event.js";
import type { ReducerMemory, SessionState } from "./state.js";
import type { Naming, Vector } from "./vector.js";

/** Returns the timeline key of a message that has an id. */
export const messageKey = (role: MessageRole, messageId: string): string => `${role}:${messageId}`;
/** Returns the timeline key of a prompt of this side, which it keeps when the agent names the message. */
export const promptKey = (promptId: string): string => `prompt:${promptId}`;
/** Returns the timeline key of a tool call. */
export const toolCallKey = (toolCallId: string): string => `tool_call:${toolCallId}`;

/** Entries are found by their key, and a prompt that the agent has named also as that message. */
export const entryNaming: Naming<Entry> = {
  names: (entry) =>
    entry.type === "message" && entry.prompt !== undefined && entry.messageId !== undefined
      ? [entry.key, messageKey(entry.role, entry.messageId)]
      : [entry.key],
  // The entry that counts dropped entries has to fit into any bound.
  weigh: (entry) => (entry.type === "trimmed" ? 0 : bytesOf(entry)),
};

/** An entry that is complete does not take chunks without an id any more. */
export const COMPLETE: Partial<ReducerMemory> = { openMessage: undefined };

/**
 * Returns the state with an entry at the position of its key, or at the end. `grown` is the change of its bytes,
 * computed if absent.
 */
export function withEntry(state: SessionState, entry: Entry, grown?: number): SessionState {
  const timeline = state.timeline as Vector<Entry>;
  const last = timeline.at(-1);
  // Nearly always it is the last entry, which needs no lookup.
  const position = last?.key === entry.key ? timeline.length - 1 : timeline.indexOf(entry.key);
  if (position >= 0 && timeline.at(position) === entry) return state;
  const after = position < 0 ? timeline.push(entry) : timeline.set(position, entry, grown);
  // Not `withItems`: storing at a known position takes a third of the time, and this is the most frequent change.
  const next = copyOf(state);
  next.timeline = after;
  next.bytes += after[held] - timeline[held];
  return next;
}

/** Puts a new entry at the end. Only the message named by `openMessage` may take chunks without an id afterwards. */
export function withNew(state: SessionState, entry: Entry, memory = COMPLETE): SessionState {
  return remember(withEntry(state, entry), memory);
}

/** Appends an entry without an id of its own. It does not end the open message. */
// V1-UPD-35
export function withNumbered(
  state: SessionState,
  entry: Omit<NoticeEntry, "key"> | Omit<UnknownEntry, "key">,
): SessionState {
  const serial = state.internal.serial + 1;
  return withNew(state, { ...entry, key: `${entry.type}:#${serial}` }, { serial });
}

/** Appends an unreadable update at its place. A reader that drops it has the same messages. */
export function withUnknown(state: SessionState, raw: unknown, reason?: string, at?: number): SessionState {
  return withNumbered(state, { type: "unknown", raw, reason, at });
}
