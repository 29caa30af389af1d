import { bytesOf } from "../bytes.js";
import type { ContentBlock } from "../content.js";
import type { Draft } from "../draft.js";
import { isContentBlock, patchedBy } from "../entity.js";
import type { MessageEntry } from "../entry.js";
import type { MessageChunk, MessageRole, MessageUpsert } from "../event.js";
import type { Whole } from "../patch.js";
import { append, emptySequence, type Sequence, sequenceOf } from "../sequence.js";
import { addEntry, messageKey, setEntry } from "../timeline.js";
import { isLocal, mergeEcho, unechoedPosition } from "./prompts.js";

type Timed = { readonly at?: number };

const FRESH = { content: /* @__PURE__ */ emptySequence() };
const LISTS = { content: isContentBlock };

/**
 * Appends a block to the message that it belongs to (V1-UPD-05..08), or begins one. True where all that changed is that
 * a message grew.
 */
export function foldChunk(draft: Draft, event: MessageChunk & Timed, role: MessageRole): boolean {
  const { content: block, _meta: chunkMeta, at } = event;
  const messageId = typeof event.messageId === "string" ? event.messageId : undefined;
  const position = positionOf(draft, role, messageId);
  const entry = position < 0 ? undefined : (draft.timeline.at(position) as MessageEntry);
  if (entry !== undefined && !isLocal(draft, entry.key)) {
    setEntry(draft, position, message(entry, append(entry.content, block)), bytesOf(block));
    return true;
  }
  const content = sequenceOf([block]);
  const echoed = entry === undefined && role === "user" ? unechoedPosition(draft) : position;
  if (echoed >= 0) mergeEcho(draft, echoed, messageId, content);
  else begin(draft, { role, messageId, chunkMeta: chunkMeta ?? undefined, at }, content);
  return false;
}

/** Makes a message or patches it (V2-UPD-10). */
export function foldMessage(draft: Draft, event: MessageUpsert & Timed, role: MessageRole): void {
  const { messageId, content, _meta, at } = event;
  let position = positionOf(draft, role, messageId);
  if (position < 0 && role === "user") position = unechoedPosition(draft);
  if (position < 0) begin(draft, { role, messageId, at }, emptySequence());
  else if (isLocal(draft, draft.timeline.at(position)?.key)) mergeEcho(draft, position, messageId);
  position = positionOf(draft, role, messageId);
  const before = draft.timeline.at(position) as MessageEntry;
  const after = patchedBy(before, { content, _meta }, FRESH, LISTS);
  if (after !== before) setEntry(draft, position, after);
}

type Beginning = Pick<MessageEntry, "role" | "messageId" | "at" | "chunkMeta">;

function begin(draft: Draft, beginning: Beginning, content: Sequence<ContentBlock>): void {
  const { role, messageId } = beginning;
  const serial = draft.internal.serial + 1;
  const key = messageId === undefined ? `message:#${serial}` : messageKey(role, messageId);
  const memory = messageId === undefined ? { openMessage: key, serial } : undefined;
  addEntry(draft, message({ key, ...beginning }, content), memory);
}

/** A message with all its members, written out, since that costs a tenth of a spread. */
function message(
  entry: Partial<MessageEntry> & Pick<MessageEntry, "key" | "role">,
  content: Sequence<ContentBlock>,
): MessageEntry {
  const next: Whole<MessageEntry> = {
    type: "message",
    key: entry.key,
    role: entry.role,
    messageId: entry.messageId,
    content,
    prompt: entry.prompt,
    dropped: entry.dropped,
    _meta: entry._meta,
    chunkMeta: entry.chunkMeta,
    at: entry.at,
  };
  return next;
}

/** Where the message stands that a chunk of a role belongs to, by its id or else as the open one; or -1. */
function positionOf({ timeline, internal }: Draft, role: MessageRole, messageId: string | undefined): number {
  const last = timeline.at(-1);
  if (last?.type === "message" && last.role === role) {
    // A growing message is nearly always the last entry: that saves making and hashing its key.
    const isMeant = messageId === undefined ? last.key === internal.openMessage : last.messageId === messageId;
    if (isMeant) return timeline.length - 1;
  }
  const key = messageId === undefined ? internal.openMessage : messageKey(role, messageId);
  const entry = key === undefined ? undefined : timeline.get(key);
  return entry?.type === "message" && entry.role === role ? timeline.indexOf(entry.key) : -1;
}
