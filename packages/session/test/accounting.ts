import assert from "node:assert/strict";
import type { Entry, TrimmedEntry } from "../src/entry.js";
import type { SessionEvent } from "../src/event.js";
import type { SessionState } from "../src/state.js";

type Count = "messages" | "toolCalls" | "others";
const NOTHING = { messages: 0, toolCalls: 0, others: 0, bytes: 0 };

/** Nothing goes from a state but by an event that says so, or with a count of it. Throws where something did. */
export function assertTrimmedIsCounted(before: SessionState, event: SessionEvent, after: SessionState): void {
  if (event.type === "replay_started" || event.type === "state_restored" || before === after) return;
  const [was, is] = [trimmedOf(before), trimmedOf(after)];
  const gone = { messages: 0, toolCalls: 0, others: 0 };
  for (const entry of before.timeline) {
    if (entry.type === "trimmed") continue;
    const now = after.timeline.get(entry.key);
    if (now === undefined) gone[countOf(entry)]++;
    else if (!replaces(event)) assertFrontIsCounted(entry, now);
  }
  // A prompt and the message that it is accepted as turn out to be one.
  const merged = event.type === "prompt_accepted" ? 1 : 0;
  for (const count of ["messages", "toolCalls", "others"] as const) {
    const counted = is[count] - was[count];
    const least = gone[count] - (count === "messages" ? merged : 0);
    // What the event itself made may be trimmed at once.
    assert.ok(counted >= least && counted <= gone[count] + 1, `${gone[count]} ${count} went, ${counted} were counted`);
  }
  assert.ok(is.bytes >= was.bytes, "fewer bytes were trimmed than before");
  const received = after.anomalies.at(-1) !== before.anomalies.at(-1);
  for (const { terminalId, textBytes, droppedBytes } of before.terminals) {
    const now = after.terminals.get(terminalId);
    if (now === undefined) assert.ok(received, "a terminal went without a word");
    else if (event.type !== "terminal_update") assert.ok(now.textBytes + now.droppedBytes >= textBytes + droppedBytes);
  }
  if (event.type !== "plan_removed" && after.plans.length < before.plans.length) assert.ok(received, "a plan went");
  if (after.subagents.length < before.subagents.length) assert.ok(received, "a subagent went");
}

const trimmedOf = (state: SessionState): Omit<TrimmedEntry, "type" | "key"> => {
  const head = state.timeline.at(0);
  return head?.type === "trimmed" ? head : NOTHING;
};

const countOf = (entry: Entry): Count =>
  entry.type === "message" ? "messages" : entry.type === "tool_call" ? "toolCalls" : "others";

/** Events by which a list may become shorter. */
const replaces = ({ type }: SessionEvent): boolean =>
  /^(?:user_message|agent_message|agent_thought|tool_call_update|compaction_update|session_message|permission_asked)$/.test(
    type,
  ) || type === "user_message_chunk"; // the echo of a prompt

function assertFrontIsCounted(before: Entry, after: Entry): void {
  if (!("dropped" in before) || !("dropped" in after)) return;
  const [was, is] = [itemsOf(before), itemsOf(after)];
  assert.ok(is >= was, `items of ${before.key} went without a count: ${was} before, ${is} now`);
}

function itemsOf(entry: Entry & { readonly dropped?: { readonly items: number } }): number {
  const list = "content" in entry ? entry.content : "summary" in entry ? entry.summary : undefined;
  return (list?.length ?? 0) + (entry.dropped?.items ?? 0);
}
