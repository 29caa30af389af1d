import { bytesOf } from "./bytes.js";
import { createSessionState } from "./create-session-state.js";
import type { Dropped, Entry, TrimmedEntry } from "./entry.js";
import { keyedOf, replaceIn } from "./keyed.js";
import { type Sequence, sequenceOf, withoutFirst } from "./sequence.js";
import { isFinal } from "./slice/tool-calls.js";
import type { SessionState } from "./state.js";
import { entryNaming, updated, withAnomaly, withChangedEntry } from "./timeline.js";
import { Vector } from "./vector.js";

/** Notices are not history: when room is needed, only so many of the newest stay. */
const NOTICES = 100;

/** The ways to make room, from what is missed least on; each makes as much as it can, up to the goal. */
const STEPS: readonly ((state: SessionState, goal: number) => SessionState)[] = [
  (state, goal) => withoutEntries(state, goal, isDisposable),
  withoutFronts,
  withoutTerminalTexts,
  (state, goal) => withoutEntries(state, goal, () => true),
  withoutRest,
  withoutFacts,
];

/**
 * Brings a state that outgrew `limits.stateBytes` down to three quarters of it. One step frees much, so that the cost,
 * which is that of the whole state, is spread over the many events that it takes to fill it again.
 */
export function withinBound(state: SessionState): SessionState {
  const goal = Math.floor((state.limits.stateBytes * 3) / 4);
  return STEPS.reduce((next, step) => (next.bytes > goal ? step(next, goal) : next), state);
}

/** What a state holds, counted anew. The reducer keeps {@link SessionState.bytes} equal to it as it goes. */
export function stateBytes(state: SessionState): number {
  const fresh = createSessionState();
  let bytes = 0;
  for (const [member, value] of Object.entries(state)) {
    if (member === "bytes" || member === "limits" || member === "anomalies") continue;
    const values = value instanceof Vector ? [...value].filter(({ type }) => type !== "trimmed") : [value];
    for (const each of values) bytes += bytesOf(recounted(each));
    bytes -= bytesOf(fresh[member as keyof SessionState]);
  }
  return bytes;
}

/** The same, with lists that know nothing of what was counted before. */
function recounted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    member instanceof Vector ? sequenceOf(member) : member,
  ]);
  return Object.fromEntries(members);
}

/** What nobody waits for any more: all but the last entry, the open message, and unfinished work. */
function isDisposable(entry: Entry, position: number, state: SessionState): boolean {
  if (position === state.timeline.length - 1 || entry.key === state.internal.openMessage) return false;
  if (entry.type === "tool_call") return isFinal(entry.status);
  if (entry.type === "compaction") return entry.status !== "in_progress";
  return entry.type !== "message" || entry.prompt?.status !== "sent";
}

function withoutEntries(state: SessionState, goal: number, mayGo: typeof isDisposable): SessionState {
  const entries = [...state.timeline];
  const head = entries.find((entry): entry is TrimmedEntry => entry.type === "trimmed");
  const trimmed = { type: "trimmed", key: "trimmed", messages: 0, toolCalls: 0, others: 0, bytes: 0, ...head } as const;
  const counted: { -readonly [K in keyof TrimmedEntry]: TrimmedEntry[K] } = trimmed;
  let notices = entries.filter(({ type }) => type === "notice").length;
  let excess = state.bytes - goal;
  const stay = entries.filter((entry, position) => {
    if (entry.type === "trimmed") return false;
    const isSurplus = entry.type === "notice" && notices-- > NOTICES;
    if (!((excess > 0 || isSurplus) && mayGo(entry, position, state))) return true;
    const bytes = bytesOf(entry);
    excess -= bytes;
    counted.bytes += bytes;
    counted[entry.type === "message" ? "messages" : entry.type === "tool_call" ? "toolCalls" : "others"]++;
    return false;
  });
  if (counted.messages + counted.toolCalls + counted.others === 0) return state;
  return updated(state, { timeline: keyedOf<Entry>(entryNaming, [counted, ...stay]) });
}

/** Where single entries are the problem, their oldest content goes, from the oldest entry on. */
function withoutFronts(state: SessionState, goal: number): SessionState {
  let next = state;
  for (let position = 0; position < state.timeline.length && next.bytes > goal; position++) {
    const entry = state.timeline.at(position) as Entry;
    const shorter = withoutFront(entry, next.bytes - goal);
    if (shorter !== entry) next = withChangedEntry(next, position, shorter);
  }
  return next;
}

type Listing = {
  readonly content?: Sequence<unknown>;
  readonly summary?: Sequence<unknown>;
  readonly dropped?: Dropped;
};

function withoutFront(entry: Entry, excess: number): Entry {
  const list = entry.type === "compaction" ? "summary" : "content";
  const { [list]: sequence, dropped } = entry as Listing;
  if (sequence === undefined) return entry;
  let items = 0;
  let bytes = 0;
  for (const item of sequence) {
    if (bytes >= excess) break;
    bytes += bytesOf(item);
    items++;
  }
  let shorter: object = { ...entry, [list]: withoutFirst(sequence, items) };
  if (entry.type === "tool_call") {
    const raw = bytesOf(entry.rawInput) + bytesOf(entry.rawOutput);
    const still = excess - bytes;
    if (still > 0 && raw >= still) {
      shorter = { ...shorter, rawInput: undefined, rawOutput: undefined };
      items++;
      bytes += raw;
    }
  }
  if (items === 0) return entry;
  return {
    ...shorter,
    dropped: { items: (dropped?.items ?? 0) + items, bytes: (dropped?.bytes ?? 0) + bytes },
  } as Entry;
}

/** Ended terminals first; they stay known by their id. */
function withoutTerminalTexts(state: SessionState, goal: number): SessionState {
  let next = state;
  for (const ended of [true, false]) {
    for (let position = 0; position < state.terminals.length && next.bytes > goal; position++) {
      const terminal = next.terminals.at(position);
      if (terminal === undefined || (terminal.exitStatus !== undefined) !== ended) continue;
      const droppedBytes = terminal.droppedBytes + terminal.textBytes;
      const empty = { ...terminal, text: "", textBytes: 0, droppedBytes };
      next = updated(next, { terminals: replaceIn(next.terminals, position, empty) });
    }
  }
  return next;
}

/** What is left is no conversation but a flood of something else. */
function withoutRest(state: SessionState): SessionState {
  const { terminals, plans, subagents, pendingPermissions, pendingElicitations } = createSessionState();
  const next = updated(state, { terminals, plans, subagents, pendingPermissions, pendingElicitations });
  return withAnomaly(next, "the state was too large to keep terminals, plans, subagents and questions");
}

/** The last resort: single facts that are larger than any such fact. */
function withoutFacts(state: SessionState): SessionState {
  const { sessionId, activity, lastTurn, internal } = createSessionState();
  const { serial, stateReported } = state.internal;
  const next = updated(state, { sessionId, activity, lastTurn, internal: { ...internal, serial, stateReported } });
  return withAnomaly(next, "the state was too large to keep what the session is doing");
}
