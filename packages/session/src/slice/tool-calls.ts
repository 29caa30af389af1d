import {
  add,
  hasPath,
  isContentBlock,
  merge,
  type Rules,
  replace,
  replaceList,
  replaceOr,
  replacePlaces,
} from "../entity.js";
import type { ToolCallEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import type { SessionState } from "../state.js";
import { entryKind, toolCallKey, withAnomaly, withChangedEntry, withPatch } from "../timeline.js";
import type { ToolCallContent, ToolCallPatch, ToolCallStatus } from "../tool-call.js";

const KIND = /* @__PURE__ */ entryKind("tool_call", "toolCallId", {
  name: replace,
  title: replace,
  kind: /* @__PURE__ */ replaceOr("other"),
  status: /* @__PURE__ */ replaceOr("pending"),
  cancelledLocally: replace,
  content: /* @__PURE__ */ replaceList(isToolCallContent),
  locations: replacePlaces,
  rawInput: replace,
  rawOutput: replace,
  capabilities: replace,
  _meta: merge,
});
const CHUNK: Rules = { content: add };

/** Whether nothing more is expected of a tool call. */
export function isFinal(status: ToolCallStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Patches a tool call; the first patch for an id makes it, at the end of the timeline (V1-UPD-11, V1-UPD-17). */
export function foldToolCall(state: SessionState, patch: ToolCallPatch & { readonly at?: number }): SessionState {
  const key = toolCallKey(patch.toolCallId);
  const before = state.timeline.get(key) as ToolCallEntry | undefined;
  const { status } = patch;
  // A status from the agent is the truth, also one that says the same as before.
  const told = before?.cancelledLocally && status !== undefined ? { ...patch, cancelledLocally: null } : patch;
  const next = withPatch(state, KIND, told);
  if (before === undefined || status === undefined || before.cancelledLocally || !isFinal(before.status)) return next;
  return !isFinal(status ?? "pending")
    ? withAnomaly(next, "a finished tool call was reopened", patch.toolCallId)
    : next;
}

/** Appends one item to a tool call's content. */
export const foldToolCallChunk = (
  state: SessionState,
  event: SessionEvent & { type: "tool_call_content_chunk" },
): SessionState => withPatch(state, KIND, event, CHUNK);

/** Whether a value can stand in a tool call's content. */
export function isToolCallContent(value: unknown): value is ToolCallContent {
  const item = value as { readonly [member: string]: unknown } | null | undefined;
  if (typeof item?.type !== "string") return false;
  if (item.type === "content") return isContentBlock(item.content);
  if (item.type === "diff") return Array.isArray(item.changes) && item.changes.every(hasPath);
  return item.type !== "terminal" || typeof item.terminalId === "string";
}

/** Marks what is unfinished as cancelled before the agent says so (V1-CANCEL-02); work in the background goes on. */
export function cancelToolCalls(state: SessionState): SessionState {
  const background = (state.activity.background ?? []).map((work) => work.type === "tool_call" && work.toolCallId);
  return withToolCalls(state, (entry) => {
    if (isFinal(entry.status) || background.includes(entry.toolCallId)) return entry;
    return { ...entry, status: "cancelled", cancelledLocally: { reported: entry.status } };
  });
}

/** The agent's own word counts again: it has said all that it had to say of the cancelled work (V2-CAN-06). */
export function uncancelToolCalls(state: SessionState): SessionState {
  if (!state.cancelling) return state;
  return withToolCalls(state, (entry) =>
    entry.cancelledLocally ? { ...entry, status: entry.cancelledLocally.reported, cancelledLocally: undefined } : entry,
  );
}

function withToolCalls(state: SessionState, change: (entry: ToolCallEntry) => ToolCallEntry): SessionState {
  let next = state;
  let position = 0;
  for (const entry of state.timeline) {
    const after = entry.type === "tool_call" ? change(entry) : entry;
    if (after !== entry) next = withChangedEntry(next, position, after);
    position++;
  }
  return next;
}
