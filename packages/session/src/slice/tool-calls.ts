import { bytesOf, bytesOfAll } from "../bytes.js";
import type { ToolCallEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import { kept, patched, patchedMeta, same, type Whole } from "../patch.js";
import { append, emptySequence } from "../sequence.js";
import type { SessionState } from "../state.js";
import { toolCallKey, withAnomaly, withChangedEntry, withEntry } from "../timeline.js";
import type { ToolCallContent, ToolCallPatch, ToolCallStatus } from "../tool-call.js";
import { isToolCallContent, listPatched } from "./lists.js";
import { foldUnknown } from "./notices.js";

const NONE: readonly never[] = Object.freeze([]);

/** Whether nothing more is expected of a tool call. */
export function isFinal(status: ToolCallStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Patches a tool call; the first patch for an id makes it, at the end of the timeline (V1-UPD-11, V1-UPD-17). */
export function foldToolCall(state: SessionState, patch: ToolCallPatch, at?: number): SessionState {
  if (typeof patch.toolCallId !== "string") return foldUnknown(state, patch, "a tool call needs an id", at);
  const position = state.timeline.indexOf(toolCallKey(patch.toolCallId));
  const found = position < 0 ? undefined : state.timeline.at(position);
  if (found?.type !== "tool_call") return withEntry(state, afterPatch(opened(patch.toolCallId, at), patch));
  const entry = afterPatch(found, patch);
  if (entry === found) return state;
  const next = withChangedEntry(state, position, entry, growth(found, entry, state.limits.stateBytes));
  const reopened = isFinal(found.status) && found.cancelledLocally === undefined && !isFinal(entry.status);
  return reopened ? withAnomaly(next, "a finished tool call was reopened", patch.toolCallId) : next;
}

/** Appends one item to a tool call's content. */
export function foldToolCallChunk(
  state: SessionState,
  event: SessionEvent & { type: "tool_call_content_chunk" },
): SessionState {
  if (typeof event.toolCallId !== "string" || !isToolCallContent(event.content)) {
    return foldUnknown(state, event, "a tool call chunk needs an id and an item", event.at);
  }
  const known = foldToolCall(state, { toolCallId: event.toolCallId }, event.at);
  const position = known.timeline.indexOf(toolCallKey(event.toolCallId));
  const entry = known.timeline.at(position);
  if (entry?.type !== "tool_call") return known;
  const next: ToolCallEntry = { ...entry, content: append(entry.content, event.content) };
  return withChangedEntry(known, position, next, bytesOf(event.content, state.limits.stateBytes));
}

/** Marks what is unfinished as cancelled before the agent says so (V1-CANCEL-02); work in the background goes on. */
export function cancelToolCalls(state: SessionState): SessionState {
  const background = new Set<string>();
  for (const work of state.activity.background ?? []) if (work.type === "tool_call") background.add(work.toolCallId);
  let next = state;
  let position = 0;
  for (const entry of state.timeline) {
    if (entry.type === "tool_call" && !isFinal(entry.status) && !background.has(entry.toolCallId)) {
      const cancelled: ToolCallEntry = {
        ...entry,
        status: "cancelled",
        cancelledLocally: { reported: entry.status },
      };
      next = withChangedEntry(next, position, cancelled, 0);
    }
    position++;
  }
  return next;
}

/** The agent's own word counts again: it has said all that it had to say of the cancelled work (V2-CAN-06). */
export function uncancelToolCalls(state: SessionState): SessionState {
  if (!state.cancelling) return state;
  let next = state;
  let position = 0;
  for (const entry of state.timeline) {
    if (entry.type === "tool_call" && entry.cancelledLocally !== undefined) {
      const real: ToolCallEntry = { ...entry, status: entry.cancelledLocally.reported, cancelledLocally: undefined };
      next = withChangedEntry(next, position, real, 0);
    }
    position++;
  }
  return next;
}

function opened(toolCallId: string, at: number | undefined): Whole<ToolCallEntry> {
  return {
    type: "tool_call",
    key: toolCallKey(toolCallId),
    toolCallId,
    name: undefined,
    title: undefined,
    kind: "other",
    status: "pending",
    cancelledLocally: undefined,
    content: emptySequence<ToolCallContent>(),
    locations: NONE,
    rawInput: undefined,
    rawOutput: undefined,
    capabilities: undefined,
    dropped: undefined,
    _meta: undefined,
    at,
  };
}

function afterPatch(entry: ToolCallEntry, patch: ToolCallPatch): ToolCallEntry {
  const next: Whole<ToolCallEntry> = {
    type: "tool_call",
    key: entry.key,
    toolCallId: entry.toolCallId,
    name: patched(entry.name, patch.name),
    title: patched(entry.title, patch.title),
    kind: patch.kind === undefined ? entry.kind : (patch.kind ?? "other"),
    status: patch.status === undefined ? entry.status : (patch.status ?? "pending"),
    // A status from the agent is the truth, also one that says the same as before.
    cancelledLocally: patch.status === undefined ? entry.cancelledLocally : undefined,
    content: listPatched(entry.content, patch.content, isToolCallContent),
    locations: locationsAfter(entry.locations, patch.locations),
    rawInput: patched(entry.rawInput, patch.rawInput),
    rawOutput: patched(entry.rawOutput, patch.rawOutput),
    capabilities: patched(entry.capabilities, patch.capabilities),
    dropped: entry.dropped,
    _meta: patchedMeta(entry._meta, patch._meta),
    at: entry.at,
  };
  return isSameEntry(entry, next) ? entry : next;
}

function locationsAfter(
  current: ToolCallEntry["locations"],
  patch: ToolCallPatch["locations"],
): ToolCallEntry["locations"] {
  if (patch === undefined) return current;
  if (!Array.isArray(patch)) return patch === null ? kept(current, NONE) : current;
  const locations = patch.filter((location) => typeof location?.path === "string");
  return kept(current, locations.length === patch.length ? patch : locations);
}

function isSameEntry(left: ToolCallEntry, right: ToolCallEntry): boolean {
  for (const key in right) {
    if (left[key as keyof ToolCallEntry] !== right[key as keyof ToolCallEntry]) return false;
  }
  return same(left.cancelledLocally, right.cancelledLocally);
}

function growth(before: ToolCallEntry, after: ToolCallEntry, most: number): number {
  let grown = 0;
  const parts = ["name", "title", "locations", "rawInput", "rawOutput", "capabilities", "_meta"] as const;
  for (const part of parts) {
    if (before[part] !== after[part]) grown += bytesOf(after[part], most) - bytesOf(before[part], most);
  }
  if (before.content !== after.content) grown += bytesOfAll(after.content, most) - bytesOfAll(before.content, most);
  return grown;
}
