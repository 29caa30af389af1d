import { bytesOf, held } from "./bytes.js";
import { copyOf, remember } from "./change.js";
import type { Entry, NoticeEntry, UnknownEntry } from "./entry.js";
import type { MessageRole } from "./event.js";
import type { ReducerMemory, SessionState } from "./state.js";
import type { Naming, Vector } from "./vector.js";

/** Returns the timeline key of a message that has an id. */
export const messageKey = (role: MessageRole, messageId: string): string => `${role}:${messageId}`;
/** Returns the timeline key of a prompt of this side. The key stays when the agent sends an id for the message. */
export const promptKey = (promptId: string): string => `prompt:${promptId}`;
/** Returns the timeline key of a tool call. */
export const toolCallKey = (toolCallId: string): string => `tool_call:${toolCallId}`;

/** Keys of an entry. A prompt with an id from the agent also has the key of that message. */
export const entryNaming: Naming<Entry> = {
  names: (entry) =>
    entry.type === "message" && entry.prompt !== undefined && entry.messageId !== undefined
      ? [entry.key, messageKey(entry.role, entry.messageId)]
      : [entry.key],
  // The entry that counts the dropped entries must fit into any bound.
  weigh: (entry) => (entry.type === "trimmed" ? 0 : bytesOf(entry)),
};

/** Memory after a complete entry. Chunks without an id do not belong to this entry. */
export const COMPLETE: Partial<ReducerMemory> = { openMessage: undefined };

/**
 * Returns the state with an entry at the position of its key. If the key is new, the entry is added at the end. `grown`
 * is the change of its size in bytes. If it is absent, it is computed.
 */
export function withEntry(state: SessionState, entry: Entry, grown?: number): SessionState {
  const timeline = state.timeline as Vector<Entry>;
  const last = timeline.at(-1);
  // Nearly always, it is the last entry, so no lookup is needed.
  const position = last?.key === entry.key ? timeline.length - 1 : timeline.indexOf(entry.key);
  if (position >= 0 && timeline.at(position) === entry) return state;
  const after = position < 0 ? timeline.push(entry) : timeline.set(position, entry, grown);
  // `withItems` would take three times as long, and this is the most frequent change.
  const next = copyOf(state);
  next.timeline = after;
  next.bytes += after[held] - timeline[held];
  return next;
}

/**
 * Returns the state with a new entry at the end. Later chunks without an id belong only to the message with the key
 * `openMessage`.
 */
export function withNew(state: SessionState, entry: Entry, memory = COMPLETE): SessionState {
  return remember(withEntry(state, entry), memory);
}

/** Adds an entry that has no id. The open message stays open. */
// V1-UPD-35
export function withNumbered(
  state: SessionState,
  entry: Omit<NoticeEntry, "key"> | Omit<UnknownEntry, "key">,
): SessionState {
  const serial = state.internal.serial + 1;
  return withNew(state, { ...entry, key: `${entry.type}:#${serial}` }, { serial });
}

/**
 * Adds an entry for an update that cannot be read. The entry does not end an open message, so a reader that drops such
 * updates has the same messages.
 */
export function withUnknown(state: SessionState, raw: unknown, reason?: string, at?: number): SessionState {
  return withNumbered(state, { type: "unknown", raw, reason, at });
}
