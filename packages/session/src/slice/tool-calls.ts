import { type Draft, note } from "../draft.js";
import { hasPath, isContentBlock } from "../entity.js";
import type { ToolCallEntry } from "../entry.js";
import { emptySequence } from "../sequence.js";
import { type EntryKind, patchEntry, setEntry, toolCallKey } from "../timeline.js";
import type { ToolCallContent, ToolCallPatch, ToolCallStatus } from "../tool-call.js";

/** How tool calls are kept. */
export const TOOL_CALL: EntryKind = {
  type: "tool_call",
  id: "toolCallId",
  fresh: { kind: "other", status: "pending", content: /* @__PURE__ */ emptySequence(), locations: [] },
  list: "content",
  lists: { content: isToolCallContent, locations: hasPath },
};

/** Whether nothing more is expected of a tool call. */
export function isFinal(status: ToolCallStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Patches a tool call; the first patch for an id makes it, at the end of the timeline (V1-UPD-11, V1-UPD-17). */
export function foldToolCall(draft: Draft, patch: ToolCallPatch & { readonly at?: number }): boolean {
  const before = draft.timeline.get(toolCallKey(patch.toolCallId)) as ToolCallEntry | undefined;
  const { status } = patch;
  // A status from the agent is the truth, also one that says the same as before.
  const isNews = status !== undefined && before?.cancelledLocally !== undefined;
  const changed = patchEntry(draft, isNews ? { ...patch, cancelledLocally: null } : patch, TOOL_CALL);
  if (!changed || before === undefined) return false;
  const isOver = status === undefined || isNews || !isFinal(before.status) || isFinal(status ?? "pending");
  if (!isOver) note(draft, "a finished tool call was reopened", patch.toolCallId);
  return isOver;
}

/** Whether a value can stand in a tool call's content. */
export function isToolCallContent(value: unknown): value is ToolCallContent {
  const item = value as { readonly [member: string]: unknown } | null | undefined;
  if (typeof item?.type !== "string") return false;
  if (item.type === "content") return isContentBlock(item.content);
  if (item.type === "diff") return Array.isArray(item.changes) && item.changes.every(hasPath);
  return item.type !== "terminal" || typeof item.terminalId === "string";
}

/** Marks what is unfinished as cancelled before the agent says so (V1-CANCEL-02); work in the background goes on. */
export function cancelToolCalls(draft: Draft): void {
  const background = (draft.activity.background ?? []).map((work) => work.type === "tool_call" && work.toolCallId);
  changeToolCalls(draft, (entry) => {
    if (isFinal(entry.status) || background.includes(entry.toolCallId)) return entry;
    return { ...entry, status: "cancelled", cancelledLocally: { reported: entry.status } };
  });
}

/** The agent's own word counts again: it has said all that it had to say of the cancelled work (V2-CAN-06). */
export function uncancelToolCalls(draft: Draft): void {
  if (!draft.cancelling) return;
  changeToolCalls(draft, (entry) =>
    entry.cancelledLocally ? { ...entry, status: entry.cancelledLocally.reported, cancelledLocally: undefined } : entry,
  );
}

function changeToolCalls(draft: Draft, change: (entry: ToolCallEntry) => ToolCallEntry): void {
  let position = 0;
  for (const entry of draft.timeline) {
    const after = entry.type === "tool_call" ? change(entry) : entry;
    if (after !== entry) setEntry(draft, position, after);
    position++;
  }
}
