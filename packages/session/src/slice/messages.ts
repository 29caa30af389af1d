import { bytesOf, bytesOfAll } from "../bytes.js";
import type { ContentBlock, Meta } from "../content.js";
import type { MessageEntry } from "../entry.js";
import type { MessageChunk, MessageRole, MessageUpsert } from "../event.js";
import { patchedMeta, type Whole } from "../patch.js";
import { append, emptySequence, sequenceOf } from "../sequence.js";
import type { SessionState } from "../state.js";
import { messageKey, numbered, withChangedEntry, withEntry } from "../timeline.js";
import { isContentBlock, listPatched } from "./lists.js";
import { foldUnknown } from "./notices.js";
import { echoOf, isLocal, unechoedPosition } from "./prompts.js";

type Timed = { readonly at?: number };

/** Appends a block to the message that it belongs to (V1-UPD-05..08), or begins one. */
export function foldChunk(state: SessionState, event: MessageChunk & Timed, role: MessageRole): SessionState {
  const block = event.content;
  if (!isContentBlock(block)) return foldUnknown(state, event, "a chunk needs a content block", event.at);
  const messageId = typeof event.messageId === "string" ? event.messageId : undefined;
  const position = messageId === undefined ? openPosition(state, role) : positionOf(state, role, messageId);
  const entry = position < 0 ? undefined : state.timeline.at(position);
  if (entry?.type === "message") {
    if (isLocal(state, entry.key)) return echoOf(state, position, messageId, sequenceOf([block]));
    return withChangedEntry(state, position, withBlock(entry, block), bytesOf(block, state.limits.stateBytes));
  }
  if (role === "user") {
    const echoed = unechoedPosition(state);
    if (echoed >= 0) return echoOf(state, echoed, messageId, sequenceOf([block]));
  }
  return begin(state, { role, messageId, content: sequenceOf([block]), chunkMeta: event._meta, at: event.at });
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
  if (typeof event.messageId !== "string") return foldUnknown(state, event, "a message needs an id", event.at);
  let next = state;
  let position = positionOf(state, role, event.messageId);
  if (position < 0 && role === "user") position = unechoedPosition(state);
  if (position < 0) {
    next = begin(state, { role, messageId: event.messageId, content: emptySequence(), at: event.at });
    position = state.timeline.length;
  } else if (isLocal(state, state.timeline.at(position)?.key)) {
    next = echoOf(state, position, event.messageId, undefined);
    position = positionOf(next, role, event.messageId);
  }
  return patchMessage(next, position, event);
}

function patchMessage(state: SessionState, position: number, event: MessageUpsert): SessionState {
  const entry = state.timeline.at(position);
  if (entry?.type !== "message") return state;
  const content = listPatched(entry.content, event.content, isContentBlock);
  const meta = patchedMeta(entry._meta, event._meta);
  if (content === entry.content && meta === entry._meta) return state;
  const most = state.limits.stateBytes;
  let grown = 0;
  if (content !== entry.content) grown += bytesOfAll(content, most) - bytesOfAll(entry.content, most);
  if (meta !== entry._meta) grown += bytesOf(meta, most) - bytesOf(entry._meta, most);
  return withChangedEntry(state, position, { ...entry, content, _meta: meta }, grown);
}

type Beginning = Pick<MessageEntry, "role" | "messageId" | "content" | "at"> & { readonly chunkMeta?: Meta | null };

function begin(state: SessionState, { role, messageId, content, chunkMeta, at }: Beginning): SessionState {
  const { key, state: next } =
    messageId === undefined ? numbered(state, "message") : { key: messageKey(role, messageId), state };
  const entry: Whole<MessageEntry> = {
    type: "message",
    key,
    role,
    messageId,
    content,
    prompt: undefined,
    dropped: undefined,
    _meta: undefined,
    chunkMeta: chunkMeta ?? undefined,
    at,
  };
  return withEntry(next, entry, messageId === undefined ? key : undefined);
}

function positionOf(state: SessionState, role: MessageRole, messageId: string): number {
  // A growing message is nearly always the last entry: that saves making and hashing its key.
  const last = state.timeline.at(-1);
  if (last?.type === "message" && last.messageId === messageId && last.role === role) return state.timeline.length - 1;
  return state.timeline.indexOf(messageKey(role, messageId));
}

function openPosition(state: SessionState, role: MessageRole): number {
  const key = state.internal.openMessage;
  if (key === undefined) return -1;
  const last = state.timeline.length - 1;
  const position = state.timeline.at(last)?.key === key ? last : state.timeline.indexOf(key);
  const entry = state.timeline.at(position);
  return position >= 0 && entry?.type === "message" && entry.role === role ? position : -1;
}
