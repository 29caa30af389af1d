import { bytesOf } from "./bytes.js";
import { type Draft, remember, setTimeline } from "./draft.js";
import { type Lists, patchedBy } from "./entity.js";
import type { Entry, NoticeEntry, UnknownEntry } from "./entry.js";
import type { MessageRole } from "./event.js";
import { addTo, type Naming, replaceIn } from "./keyed.js";
import { append, type Sequence } from "./sequence.js";
import type { ReducerMemory } from "./state.js";

/** The timeline key of a message that has an id. */
export const messageKey = (role: MessageRole, messageId: string): string => `${role}:${messageId}`;
/** The timeline key of a prompt of this side, which it keeps when the agent names the message. */
export const promptKey = (promptId: string): string => `prompt:${promptId}`;
/** The timeline key of a tool call. */
export const toolCallKey = (toolCallId: string): string => `tool_call:${toolCallId}`;
/** The timeline key of a compaction. */
export const compactionKey = (compactionId: string): string => `compaction:${compactionId}`;
/** The timeline key of a message between sessions. */
export const sessionMessageKey = (messageId: string): string => `session_message:${messageId}`;

/** Entries are found by their key, and a prompt that the agent has named also as that message. */
export const entryNaming: Naming<Entry> = {
  names: (entry) =>
    entry.type === "message" && entry.prompt !== undefined && entry.messageId !== undefined
      ? [entry.key, messageKey(entry.role, entry.messageId)]
      : [entry.key],
  // What stands for dropped entries has to fit into any bound.
  weigh: (entry) => (entry.type === "trimmed" ? 0 : bytesOf(entry)),
};

/** Puts a new entry at the end. Only the message named by `openMessage` may take chunks without an id afterwards. */
export function addEntry(
  draft: Draft,
  entry: Entry,
  memory: Partial<ReducerMemory> = { openMessage: undefined },
): void {
  setTimeline(draft, addTo(draft.timeline, entry));
  remember(draft, memory);
}

/** Replaces the entry at a position; `grown`, by how much its bytes changed, is worked out unless it is known. */
export function setEntry(draft: Draft, position: number, entry: Entry, grown?: number): void {
  setTimeline(draft, replaceIn(draft.timeline, position, entry, grown));
}

/** One kind of entry that is made by the first patch for its id. */
export type EntryKind = {
  readonly type: "tool_call" | "compaction" | "session_message";
  /** The member that holds the id. */
  readonly id: string;
  /** What an entry begins with, and goes back to by `null`. */
  readonly fresh: object;
  /** The list that chunks add to. */
  readonly list: "content" | "summary";
  readonly lists: Lists;
};

/**
 * Patches the entry that an event is about, which its first one makes at the end of the timeline. True where an entry
 * changed that was known, and nothing else did.
 */
export function patchEntry(draft: Draft, event: object, kind: EntryKind): boolean {
  return changeEntry(draft, event, kind, (entry) => patchedBy(entry, event, kind.fresh, kind.lists));
}

/** Adds one more item to the list of the entry that an event is about. */
export function addToEntry(draft: Draft, event: { readonly content: unknown }, kind: EntryKind): boolean {
  const { list } = kind;
  return changeEntry(draft, event, kind, (entry) => {
    const items = (entry as { readonly [member: string]: unknown })[list] as Sequence<unknown>;
    return { ...entry, [list]: append(items, event.content) };
  });
}

function changeEntry(draft: Draft, event: object, kind: EntryKind, change: (entry: Entry) => Entry): boolean {
  const { [kind.id]: id, at } = event as { readonly [member: string]: unknown };
  const key = `${kind.type}:${id}`;
  const before = draft.timeline.get(key);
  const after = change(before ?? ({ type: kind.type, key, [kind.id]: id, ...kind.fresh, at } as Entry));
  if (before === undefined) addEntry(draft, after);
  else if (after !== before) setEntry(draft, draft.timeline.indexOf(key), after);
  return before !== undefined && after !== before;
}

/** Puts an entry without an id of its own at the end. It is no history: no message ends by it (V1-UPD-35). */
export function addNumbered(draft: Draft, entry: Omit<NoticeEntry, "key"> | Omit<UnknownEntry, "key">): void {
  const serial = draft.internal.serial + 1;
  addEntry(draft, { ...entry, key: `${entry.type}:#${serial}` }, { serial });
}

/** Keeps what nobody here can read, at the place where it came. A reader that drops it sees the same messages. */
export function keepUnknown(draft: Draft, raw: unknown, reason?: string, at?: number): void {
  addNumbered(draft, { type: "unknown", raw, reason, at });
}
