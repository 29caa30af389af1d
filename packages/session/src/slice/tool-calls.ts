import { noted } from "../change.js";
import { patchedBy } from "../entity.js";
import type { ToolCallEntry } from "../entry.js";
import { patchKind, TOOL_CALL_KIND } from "../kind.js";
import type { SessionState } from "../state.js";
import { withEntry } from "../timeline.js";
import type { ToolCallPatch, ToolCallStatus } from "../tool-call.js";

/** Returns true for a final status. */
export function isFinal(status: ToolCallStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Patches a tool call. The first patch with an id creates the call at the end of the timeline. */
// V1-UPD-11, V1-UPD-17
export function foldToolCall(state: SessionState, patch: ToolCallPatch & { readonly at?: number }): SessionState {
  let isReopened = false;
  const next = patchKind<ToolCallEntry>(state, patch, TOOL_CALL_KIND, (before) => {
    // A status from the agent replaces the local cancel, even if it equals the previous status.
    const isNews = before.cancelledLocally && patch.status !== undefined;
    const after = patchedBy(before, isNews ? { ...patch, cancelledLocally: null } : patch, TOOL_CALL_KIND);
    isReopened = !isNews && isFinal(before.status) && !isFinal(after.status);
    return after;
  });
  return isReopened ? noted(next, "a finished tool call was reopened", patch.toolCallId) : next;
}

/** Marks unfinished tool calls as cancelled before the agent reports their end. Background work continues. */
// V1-CANCEL-02
export function cancelToolCalls(state: SessionState): SessionState {
  const background = new Set<unknown>();
  for (const work of state.activity.background ?? []) if (work.type === "tool_call") background.add(work.toolCallId);
  return changeToolCalls(state, (entry) => {
    if (isFinal(entry.status) || background.has(entry.toolCallId)) return entry;
    return { ...entry, status: "cancelled", cancelledLocally: { reported: entry.status } };
  });
}

/**
 * Restores the status that the agent has reported last. The agent has now reported everything about the cancelled work.
 */
// V2-CAN-06
export function uncancelToolCalls(state: SessionState): SessionState {
  if (!state.cancelling) return state;
  return changeToolCalls(state, (entry) =>
    entry.cancelledLocally ? { ...entry, status: entry.cancelledLocally.reported, cancelledLocally: undefined } : entry,
  );
}

function changeToolCalls(state: SessionState, change: (entry: ToolCallEntry) => ToolCallEntry): SessionState {
  let next = state;
  for (const entry of state.timeline) if (entry.type === "tool_call") next = withEntry(next, change(entry));
  return next;
}
