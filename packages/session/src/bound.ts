import { bytesOf, bytesOfAll } from "./bytes.js";
import type { Dropped, Entry, TrimmedEntry } from "./entry.js";
import { keyedOf, replaceIn } from "./keyed.js";
import { type Sequence, sequenceOf, withoutFirst } from "./sequence.js";
import { withElicitations } from "./slice/elicitations.js";
import { planNaming } from "./slice/plans.js";
import { withPending } from "./slice/requests.js";
import { SETTINGS } from "./slice/settings.js";
import { subagentNaming } from "./slice/subagents.js";
import { terminalBytes, terminalNaming } from "./slice/terminals.js";
import { isFinal } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { entryBytes, entryNaming, withAnomaly } from "./timeline.js";

/** Notices are not history: when room is needed, only so many of the newest stay. */
const NOTICES = 100;

/**
 * Brings a state that outgrew `limits.stateBytes` down to three quarters of it. One step frees much, so that the cost,
 * which is that of the whole state, is spread over the many events that it takes to fill it again.
 */
export function withinBound(state: SessionState): SessionState {
  const { stateBytes } = state.limits;
  if (state.bytes <= stateBytes) return state;
  const goal = Math.floor((stateBytes * 3) / 4);
  let next = withoutEntries(state, goal, isDisposable(state));
  if (next.bytes > goal) next = withoutFronts(next, goal);
  if (next.bytes > goal) next = withoutTerminalTexts(next, goal);
  if (next.bytes > goal) next = withoutEntries(next, goal, () => true);
  if (next.bytes > goal) next = withoutRest(next);
  return next;
}

/** What a state holds, counted anew. The reducer keeps {@link SessionState.bytes} equal to it as it goes. */
export function stateBytes(state: SessionState): number {
  const most = state.limits.stateBytes;
  let bytes = 0;
  for (const entry of state.timeline) bytes += entryBytes(entry, most);
  for (const terminal of state.terminals) bytes += terminalBytes(terminal, most);
  bytes += bytesOfAll(state.plans, most) + bytesOfAll(state.subagents, most);
  bytes += bytesOfAll(state.pendingPermissions, most) + bytesOfAll(state.pendingElicitations, most);
  for (const setting of SETTINGS) bytes += bytesOf(state[setting], most);
  return bytes;
}

/** What nobody waits for any more: all but the last entry, the open message, and unfinished work. */
function isDisposable(state: SessionState): (entry: Entry, position: number) => boolean {
  const last = state.timeline.length - 1;
  return (entry, position) => {
    if (position === last || entry.key === state.internal.openMessage) return false;
    if (entry.type === "tool_call") return isFinal(entry.status);
    if (entry.type === "compaction") return entry.status !== "in_progress";
    return entry.type !== "message" || entry.prompt?.status !== "sent";
  };
}

function withoutEntries(
  state: SessionState,
  goal: number,
  mayGo: (entry: Entry, position: number) => boolean,
): SessionState {
  const most = state.limits.stateBytes;
  let { messages, toolCalls, others, bytes: trimmedBytes } = trimmedOf(state);
  let { bytes } = state;
  let notices = 0;
  for (const entry of state.timeline) if (entry.type === "notice") notices++;
  const stay: Entry[] = [];
  let position = 0;
  for (const entry of state.timeline) {
    const surplus = entry.type === "notice" && notices-- > NOTICES;
    const goes = (bytes > goal || surplus) && mayGo(entry, position);
    position++;
    if (entry.type === "trimmed") continue;
    if (!goes) {
      stay.push(entry);
      continue;
    }
    const size = entryBytes(entry, most);
    bytes -= size;
    trimmedBytes += size;
    if (entry.type === "message") messages++;
    else if (entry.type === "tool_call") toolCalls++;
    else others++;
  }
  if (messages + toolCalls + others === 0) return state;
  const head: TrimmedEntry = { type: "trimmed", key: "trimmed", messages, toolCalls, others, bytes: trimmedBytes };
  return { ...state, timeline: keyedOf(entryNaming, sequenceOf<Entry>([head, ...stay])), bytes };
}

function trimmedOf(state: SessionState): TrimmedEntry {
  const head = state.timeline.at(0);
  if (head?.type === "trimmed") return head;
  return { type: "trimmed", key: "trimmed", messages: 0, toolCalls: 0, others: 0, bytes: 0 };
}

/** Where single entries are the problem, their oldest content goes, from the oldest entry on. */
function withoutFronts(state: SessionState, goal: number): SessionState {
  const most = state.limits.stateBytes;
  let { timeline, bytes } = state;
  let position = 0;
  for (const entry of state.timeline) {
    if (bytes <= goal) break;
    const shorter = withoutFront(entry, bytes - goal, most);
    if (shorter !== entry) {
      timeline = replaceIn(timeline, position, shorter);
      bytes += entryBytes(shorter, most) - entryBytes(entry, most);
    }
    position++;
  }
  return { ...state, timeline, bytes };
}

function withoutFront(entry: Entry, excess: number, most: number): Entry {
  if (entry.type === "message" || entry.type === "session_message") {
    const { sequence: content, dropped } = cutFront(entry.content, excess, most, entry.dropped);
    return content === entry.content ? entry : { ...entry, content, dropped };
  }
  if (entry.type === "compaction") {
    const { sequence: summary, dropped } = cutFront(entry.summary, excess, most, entry.dropped);
    return summary === entry.summary ? entry : { ...entry, summary, dropped };
  }
  if (entry.type !== "tool_call") return entry;
  const { sequence: content, dropped } = cutFront(entry.content, excess, most, entry.dropped);
  const raw = bytesOf(entry.rawInput, most) + bytesOf(entry.rawOutput, most);
  const still = excess - ((dropped?.bytes ?? 0) - (entry.dropped?.bytes ?? 0));
  if (still <= 0 || raw < still) return content === entry.content ? entry : { ...entry, content, dropped };
  const all = { items: (dropped?.items ?? 0) + 1, bytes: (dropped?.bytes ?? 0) + raw };
  return { ...entry, content, rawInput: undefined, rawOutput: undefined, dropped: all };
}

type Cut<T> = { readonly sequence: Sequence<T>; readonly dropped: Dropped | undefined };

function cutFront<T>(sequence: Sequence<T>, excess: number, most: number, before: Dropped | undefined): Cut<T> {
  let items = 0;
  let bytes = 0;
  for (const item of sequence) {
    if (bytes >= excess) break;
    bytes += bytesOf(item, most);
    items++;
  }
  if (items === 0) return { sequence, dropped: before };
  const dropped = { items: (before?.items ?? 0) + items, bytes: (before?.bytes ?? 0) + bytes };
  return { sequence: withoutFirst(sequence, items), dropped };
}

/** Ended terminals first; they stay known by their id. */
function withoutTerminalTexts(state: SessionState, goal: number): SessionState {
  let { terminals, bytes } = state;
  for (const ended of [true, false]) {
    for (let position = 0; position < terminals.length && bytes > goal; position++) {
      const terminal = terminals.at(position);
      if (terminal === undefined || (terminal.exitStatus !== undefined) !== ended) continue;
      const droppedBytes = terminal.droppedBytes + terminal.textBytes;
      terminals = replaceIn(terminals, position, { ...terminal, text: "", textBytes: 0, droppedBytes });
      bytes -= terminal.textBytes;
    }
  }
  return { ...state, terminals, bytes };
}

/** The last resort: what is left is no conversation but a flood of something else. */
function withoutRest(state: SessionState): SessionState {
  const most = state.limits.stateBytes;
  let { bytes } = state;
  for (const terminal of state.terminals) bytes -= terminalBytes(terminal, most);
  for (const plan of state.plans) bytes -= bytesOf(plan, most);
  for (const subagent of state.subagents) bytes -= bytesOf(subagent, most);
  const next = {
    ...state,
    terminals: keyedOf(terminalNaming),
    plans: keyedOf(planNaming),
    subagents: keyedOf(subagentNaming),
    bytes,
  };
  const without = withElicitations(withPending(next, []), []);
  return withAnomaly(without, "the state was too large to keep terminals, plans, subagents and questions");
}
