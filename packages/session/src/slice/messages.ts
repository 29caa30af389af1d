import { bytesOf } from "../bytes.js";
import type { ContentBlock } from "../content.js";
import { isContentBlock, merge, patchedBy, type Rules, replaceBlocks } from "../entity.js";
import type { MessageEntry } from "../entry.js";
import type { MessageChunk, MessageRole, MessageUpsert } from "../event.js";
import type { Whole } from "../patch.js";
import { append, emptySequence, sequenceOf } from "../sequence.js";
import type { SessionState } from "../state.js";
import { messageKey, withChangedEntry, withEntry, withUnknown } from "../timeline.js";
import { echoOf, isLocal, unechoedPosition } from "./prompts.js";

type Timed = { readonly at?: number };

const RULES: Rules = { content: replaceBlocks, _meta: merge };

/** Appends a block to the message that it belongs to (V1-UPD-05..08), or begins one. */
export function foldChunk(state: SessionState, event: MessageChunk & Timed, role: MessageRole): SessionState {
  const block = event.content;
  if (!isContentBlock(block)) return withUnknown(state, event, "a chunk lacks a sound content", event.at);
  const messageId = typeof event.messageId === "string" ? event.messageId : undefined;
  const position = messageId === undefined ? openPosition(state, role) : positionOf(state, role, messageId);
  const entry = position < 0 ? undefined : (state.timeline.at(position) as MessageEntry);
  if (entry !== undefined && !isLocal(state, entry.key)) {
    return withChangedEntry(state, position, withBlock(entry, block), bytesOf(block));
  }
  const content = sequenceOf([block]);
  const echoed = entry === undefined && role === "user" ? unechoedPosition(state) : position;
  if (echoed >= 0) return echoOf(state, echoed, messageId, content);
  return begin(state, role, { messageId, content, chunkMeta: event._meta ?? undefined, at: event.at });
}

function withBlock(entry: MessageEntry, block: ContentBlock): MessageEntry {
  const next: Whole<MessageEntry> = {
    type: "message",
    key: entry.key,
    role: entry.role,
    messageId: entry.messageId,
    content: append(entry.content, block),
    prompt: entry.prompt,
    dropped: entry.dropped,
    _meta: entry._meta,
    chunkMeta: entry.chunkMeta,
    at: entry.at,
  };
  return next;
}

/** Makes a message or patches it (V2-UPD-10). */
export function foldMessage(state: SessionState, event: MessageUpsert & Timed, role: MessageRole): SessionState {
  const { messageId, at } = event;
  let next = state;
  let position = positionOf(state, role, messageId);
  if (position < 0 && role === "user") position = unechoedPosition(state);
  if (position < 0) next = begin(state, role, { messageId, content: emptySequence(), at });
  else if (isLocal(state, state.timeline.at(position)?.key)) next = echoOf(state, position, messageId);
  position = positionOf(next, role, messageId);
  const before = next.timeline.at(position) as MessageEntry;
  const after = patchedBy(before, RULES, event);
  return after === before ? next : withChangedEntry(next, position, after);
}

type Beginning = Pick<MessageEntry, "messageId" | "content" | "at" | "chunkMeta">;

function begin(state: SessionState, role: MessageRole, { messageId, content, chunkMeta, at }: Beginning): SessionState {
  const serial = state.internal.serial + 1;
  const key = messageId === undefined ? `message:#${serial}` : messageKey(role, messageId);
  const entry: Whole<MessageEntry> = {
    type: "message",
    key,
    role,
    messageId,
    content,
    prompt: undefined,
    dropped: undefined,
    _meta: undefined,
    chunkMeta,
    at,
  };
  return withEntry(state, entry, messageId === undefined ? { openMessage: key, serial } : undefined);
}

function positionOf(state: SessionState, role: MessageRole, messageId: string): number {
  // A growing message is nearly always the last entry: that saves making and hashing its key.
  const last = state.timeline.at(-1);
  if (last?.type === "message" && last.messageId === messageId && last.role === role) return state.timeline.length - 1;
  return state.timeline.indexOf(messageKey(role, messageId));
}

function openPosition(state: SessionState, role: MessageRole): number {
  const { timeline, internal } = state;
  const key = internal.openMessage;
  if (key === undefined) return -1;
  const position = timeline.at(-1)?.key === key ? timeline.length - 1 : timeline.indexOf(key);
  const entry = timeline.at(position);
  return position >= 0 && entry?.type === "message" && entry.role === role ? position : -1;
}
