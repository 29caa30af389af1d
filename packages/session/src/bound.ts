import { bytesOf } from "./bytes.js";
import { forget } from "./create-session-state.js";
import { type Draft, draftOf, note, remember, setTimeline, settled } from "./draft.js";
import type { Dropped, Entry, TrimmedEntry } from "./entry.js";
import { type Keyed, keyedOf, replaceIn } from "./keyed.js";
import { type Sequence, withoutFirst } from "./sequence.js";
import { NOT_UPDATED } from "./slice/settings.js";
import { isFinal } from "./slice/tool-calls.js";
import type { SessionState, TerminalState } from "./state.js";
import { entryNaming } from "./timeline.js";

/** Notices are not history: when room is needed, only so many of the newest stay. */
const NOTICES = 100;

/** The ways to make room, from what is missed least on; each frees what it can of an excess. */
const STEPS: readonly ((draft: Draft, excess: number) => void)[] = [
  (draft, excess) => dropEntries(draft, excess, isDisposable),
  (draft, excess) => shorten(draft, "timeline", excess, withoutFront),
  (draft, excess) => shorten(draft, "terminals", excess, (terminal) => withoutText(terminal, isEnded(terminal))),
  (draft, excess) => shorten(draft, "terminals", excess, (terminal) => withoutText(terminal, true)),
  (draft, excess) => dropEntries(draft, excess, () => true),
  dropRest,
];

/**
 * Brings a state that outgrew `limits.stateBytes` down to three quarters of it. One step frees much, so that the cost,
 * which is that of the whole state, is spread over the many events that it takes to fill it again.
 */
export function withinBound(state: SessionState): SessionState {
  const goal = Math.floor((state.limits.stateBytes * 3) / 4);
  let next = state;
  for (const step of STEPS) {
    if (next.bytes <= goal) break;
    const draft = draftOf(next);
    step(draft, next.bytes - goal);
    next = settled(next, draft);
  }
  return next;
}

/** What nobody waits for any more: all but the last entry, the open message, and unfinished work. */
function isDisposable(entry: Entry, position: number, { timeline, internal }: Draft): boolean {
  if (position === timeline.length - 1 || entry.key === internal.openMessage) return false;
  if (entry.type === "tool_call") return isFinal(entry.status);
  if (entry.type === "compaction") return entry.status !== "in_progress";
  return entry.type !== "message" || entry.prompt?.status !== "sent";
}

function dropEntries(draft: Draft, excess: number, mayGo: typeof isDisposable): void {
  const entries = [...draft.timeline];
  const head = entries.find((entry): entry is TrimmedEntry => entry.type === "trimmed");
  const trimmed = { type: "trimmed", key: "trimmed", messages: 0, toolCalls: 0, others: 0, bytes: 0, ...head } as const;
  const counted: { -readonly [K in keyof TrimmedEntry]: TrimmedEntry[K] } = trimmed;
  let notices = entries.filter(({ type }) => type === "notice").length;
  let left = excess;
  const stay = entries.filter((entry, position) => {
    if (entry.type === "trimmed") return false;
    const isSurplus = entry.type === "notice" && notices-- > NOTICES;
    if (!((left > 0 || isSurplus) && mayGo(entry, position, draft))) return true;
    const bytes = bytesOf(entry);
    left -= bytes;
    counted.bytes += bytes;
    counted[entry.type === "message" ? "messages" : entry.type === "tool_call" ? "toolCalls" : "others"]++;
    return false;
  });
  if (left !== excess) setTimeline(draft, keyedOf<Entry>(entryNaming, [counted, ...stay]));
}

/** Makes items of a list shorter, from the oldest on, until that is enough. */
function shorten(
  draft: Draft,
  list: "timeline" | "terminals",
  excess: number,
  shorter: (item: never, excess: number) => object,
): void {
  let items = draft[list] as Keyed<object>;
  let left = excess;
  for (let position = 0; position < items.length && left > 0; position++) {
    const before = items.at(position) as never;
    const after = shorter(before, left);
    if (after === before) continue;
    items = replaceIn(items, position, after);
    left -= bytesOf(before) - bytesOf(after);
  }
  if (list === "timeline") setTimeline(draft, items as Keyed<Entry>);
  else draft.terminals = items as Keyed<TerminalState>;
}

type Listing = {
  readonly content?: Sequence<unknown>;
  readonly summary?: Sequence<unknown>;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly dropped?: Dropped;
};

/** Where single entries are the problem, their oldest content goes, and then what a tool got and gave. */
function withoutFront(entry: Entry, excess: number): Entry {
  const list = entry.type === "compaction" ? "summary" : "content";
  const { [list]: sequence, rawInput, rawOutput, dropped } = entry as Listing;
  if (sequence === undefined) return entry;
  let items = 0;
  let bytes = 0;
  for (const item of sequence) {
    if (bytes >= excess) break;
    bytes += bytesOf(item);
    items++;
  }
  let shorter: object = { ...entry, [list]: withoutFirst(sequence, items) };
  const raw = bytesOf(rawInput) + bytesOf(rawOutput);
  if (bytes < excess && raw > 0) {
    shorter = { ...shorter, rawInput: undefined, rawOutput: undefined };
    items++;
    bytes += raw;
  }
  if (items === 0) return entry;
  return {
    ...shorter,
    dropped: { items: (dropped?.items ?? 0) + items, bytes: (dropped?.bytes ?? 0) + bytes },
  } as Entry;
}

const isEnded = (terminal: TerminalState): boolean => terminal.exitStatus !== undefined;

/** Terminals stay known by their id. */
function withoutText(terminal: TerminalState, mayGo: boolean): TerminalState {
  if (!mayGo || terminal.textBytes === 0) return terminal;
  return { ...terminal, text: "", textBytes: 0, droppedBytes: terminal.droppedBytes + terminal.textBytes };
}

/** What is left is no conversation but a flood of something else. */
function dropRest(draft: Draft): void {
  forget(draft, "terminals", "plans", "subagents", "activity", "lastTurn");
  forget(draft, "pendingPermissions", "pendingElicitations");
  remember(draft, {
    openMessage: undefined,
    updatedLists: NOT_UPDATED,
    unechoed: [],
    openTurns: [],
    earlyMode: undefined,
  });
  note(draft, "too little room for what is no conversation");
}
