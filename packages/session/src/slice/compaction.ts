import { bytesOf, bytesOfAll } from "../bytes.js";
import type { ContentBlock } from "../content.js";
import type { CompactionEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { patched, patchedMeta } from "../patch.js";
import { append, emptySequence } from "../sequence.js";
import type { SessionState } from "../state.js";
import { compactionKey, withChangedEntry, withEntry } from "../timeline.js";
import { isContentBlock, listPatched } from "./lists.js";
import { foldUnknown } from "./notices.js";

type Event<T extends string> = SessionEvent & { type: T };

/** The first update for an id fixes the place of a compaction, later ones patch it there (V1-UPD-38). */
export function foldCompaction(state: SessionState, event: Event<"compaction_update">): SessionState {
  if (typeof event.compactionId !== "string" || typeof event.status !== "string") {
    return foldUnknown(state, event, "a compaction needs an id and a status", event.at);
  }
  const { state: known, position, entry } = compaction(state, event.compactionId, event.status, event.at);
  const summary = listPatched(entry.summary, event.summary, isContentBlock);
  const error = patched(entry.error, event.error);
  const meta = patchedMeta(entry._meta, event._meta);
  const unchanged =
    summary === entry.summary && error === entry.error && meta === entry._meta && event.status === entry.status;
  if (unchanged) return known;
  const most = state.limits.stateBytes;
  let grown = bytesOf(error, most) - bytesOf(entry.error, most);
  if (meta !== entry._meta) grown += bytesOf(meta, most) - bytesOf(entry._meta, most);
  if (summary !== entry.summary) grown += bytesOfAll(summary, most) - bytesOfAll(entry.summary, most);
  return withChangedEntry(known, position, { ...entry, status: event.status, summary, error, _meta: meta }, grown);
}

/** Appends one block; a chunk for an unseen id begins a compaction (V1-UPD-39). */
export function foldCompactionChunk(state: SessionState, event: Event<"compaction_summary_chunk">): SessionState {
  if (typeof event.compactionId !== "string" || !isContentBlock(event.content)) {
    return foldUnknown(state, event, "a compaction chunk needs an id and a content block", event.at);
  }
  const { state: known, position, entry } = compaction(state, event.compactionId, "in_progress", event.at);
  const summary = append(entry.summary, event.content);
  return withChangedEntry(known, position, { ...entry, summary }, bytesOf(event.content, state.limits.stateBytes));
}

type Found = { readonly state: SessionState; readonly position: number; readonly entry: CompactionEntry };

function compaction(
  state: SessionState,
  compactionId: string,
  status: CompactionEntry["status"],
  at: number | undefined,
): Found {
  const key = compactionKey(compactionId);
  const position = state.timeline.indexOf(key);
  const found = state.timeline.at(position);
  if (position >= 0 && found?.type === "compaction") return { state, position, entry: found };
  const summary = emptySequence<ContentBlock>();
  const entry: CompactionEntry = {
    type: "compaction",
    key,
    compactionId,
    status,
    summary,
    error: undefined,
    _meta: undefined,
    at,
  };
  return { state: withEntry(state, entry), position: state.timeline.length, entry };
}
