import { bytesOf } from "../bytes.js";
import type { ContentBlock } from "../content.js";
import type { SessionMessageEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { patched, patchedMeta } from "../patch.js";
import { append, emptySequence } from "../sequence.js";
import type { SessionState } from "../state.js";
import { entryBytes, sessionMessageKey, withChangedEntry, withEntry } from "../timeline.js";
import { isContentBlock, listPatched } from "./lists.js";
import { foldUnknown } from "./notices.js";

type Event<T extends string> = SessionEvent & { type: T };

/** The first update for an id fixes the place of a message between sessions, later ones patch it there (V2-UPD-28). */
export function foldSessionMessage(state: SessionState, event: Event<"session_message">): SessionState {
  if (typeof event.messageId !== "string") return foldUnknown(state, event, "a message needs an id", event.at);
  const { state: known, position, entry } = found(state, event.messageId, event.at);
  const next: SessionMessageEntry = {
    ...entry,
    senderSessionId: patched(entry.senderSessionId, event.senderSessionId),
    recipientSessionId: patched(entry.recipientSessionId, event.recipientSessionId),
    senderMessageId: patched(entry.senderMessageId, event.senderMessageId),
    recipientMessageId: patched(entry.recipientMessageId, event.recipientMessageId),
    content: listPatched(entry.content, event.content, isContentBlock),
    _meta: patchedMeta(entry._meta, event._meta),
  };
  const members = Object.keys(next) as (keyof SessionMessageEntry)[];
  if (members.every((member) => next[member] === entry[member])) return known;
  const most = state.limits.stateBytes;
  return withChangedEntry(known, position, next, entryBytes(next, most) - entryBytes(entry, most));
}

/** Appends one block; a chunk for an unseen id begins a message. */
export function foldSessionMessageChunk(state: SessionState, event: Event<"session_message_chunk">): SessionState {
  if (typeof event.messageId !== "string" || !isContentBlock(event.content)) {
    return foldUnknown(state, event, "a chunk needs an id and a content block", event.at);
  }
  const { state: known, position, entry } = found(state, event.messageId, event.at);
  const next = { ...entry, content: append(entry.content, event.content) };
  return withChangedEntry(known, position, next, bytesOf(event.content, state.limits.stateBytes));
}

type Found = { readonly state: SessionState; readonly position: number; readonly entry: SessionMessageEntry };

function found(state: SessionState, messageId: string, at: number | undefined): Found {
  const key = sessionMessageKey(messageId);
  const position = state.timeline.indexOf(key);
  const known = state.timeline.at(position);
  if (position >= 0 && known?.type === "session_message") return { state, position, entry: known };
  const content = emptySequence<ContentBlock>();
  const entry: SessionMessageEntry = { type: "session_message", key, messageId, content, at };
  return { state: withEntry(state, entry), position: state.timeline.length, entry };
}
