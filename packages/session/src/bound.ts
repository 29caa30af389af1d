import { bytesOf } from "./bytes.js";
import { changed, type ItemList, noted, remember, withItems } from "./change.js";
import { createSessionState } from "./create-session-state.js";
import type { Entry, ToolCallEntry, TrimmedEntry } from "./entry.js";
import { type Growing, shortened } from "./entry-bound.js";
import { emptySequence } from "./persistent-list.js";
import { isFinal } from "./slice/tool-calls.js";
import type { SessionState, TerminalState } from "./state.js";
import type { Vector } from "./vector.js";

/** Rule that returns an item unchanged, a shorter item, or `undefined` to drop the item. */
type Ease = (item: never, state: SessionState) => object | undefined;

/**
 * Steps that free memory, the least important items first. Each step shortens or drops the oldest items until the state
 * is small enough.
 */
const STEPS: readonly (readonly [list: ItemList, ease: Ease])[] = [
  // Notices do not belong to the conversation.
  ["timeline", (entry: Entry) => (entry.type === "notice" ? undefined : entry)],
  ["timeline", (entry, state) => (isDisposable(entry, state) ? undefined : entry)],
  ["timeline", withoutContent],
  ["terminals", (terminal: TerminalState) => (terminal.exitStatus === undefined ? terminal : withoutText(terminal))],
  ["terminals", withoutText],
  ["timeline", () => undefined],
];

/**
 * Returns a state that exceeds `limits.stateBytes` with at most three quarters of this size. A step reads the whole
 * state, so each step frees enough memory for many further events.
 */
export function withinBound(state: SessionState): SessionState {
  const goal = Math.floor((state.limits.stateBytes * 3) / 4);
  let next = state;
  for (const [list, ease] of STEPS) if (next.bytes > goal) next = eased(next, list, next.bytes - goal, ease);
  return next.bytes > goal ? withoutRest(next) : next;
}

/** Returns `true` for entries that may be dropped. The last entry, the open message and unfinished work stay. */
function isDisposable(entry: Entry, { timeline, internal }: SessionState): boolean {
  if (entry === timeline.at(-1) || entry.key === internal.openMessage) return false;
  if (entry.type === "tool_call") return isFinal(entry.status);
  if (entry.type === "compaction") return entry.status !== "in_progress";
  return entry.type !== "message" || entry.prompt?.status !== "sent";
}

/**
 * Returns the state with one list shortened by a step. A `trimmed` entry at the start of the timeline counts the
 * dropped entries.
 */
function eased(state: SessionState, list: ItemList, excess: number, ease: Ease): SessionState {
  const items = state[list] as Vector<never>;
  const head = items.at(0) as Entry | undefined;
  const counted: { -readonly [K in keyof TrimmedEntry]: TrimmedEntry[K] } = {
    type: "trimmed",
    key: "trimmed",
    messages: 0,
    toolCalls: 0,
    others: 0,
    bytes: 0,
    ...(head?.type === "trimmed" && head),
  };
  let left = excess;
  const stay = [...items].flatMap((item) => {
    const { type } = item as Entry;
    if (type === "trimmed") return [];
    const after = left > 0 ? ease(item, state) : item;
    const freed = after === item ? 0 : bytesOf(item) - bytesOf(after);
    left -= freed;
    if (after !== undefined) return [after];
    counted.bytes += freed;
    counted[type === "message" ? "messages" : type === "tool_call" ? "toolCalls" : "others"]++;
    return [];
  });
  if (left === excess) return state;
  return withItems(state, list, items.of((counted.bytes > 0 ? [counted, ...stay] : stay) as never[]));
}

/** Returns an entry without its content. A tool call also loses its input and output. */
function withoutContent(entry: Entry): Entry {
  const list = entry.type === "compaction" ? "summary" : "content";
  const { [list]: items, rawInput, rawOutput } = entry as Growing & Partial<ToolCallEntry>;
  const raws = [rawInput, rawOutput].filter((raw) => raw !== undefined);
  if (!items?.length && raws.length === 0) return entry;
  const bare = shortened(entry, list, emptySequence(), raws);
  return (raws.length > 0 ? { ...bare, rawInput: undefined, rawOutput: undefined } : bare) as Entry;
}

/** Returns a terminal without its text. Its id stays known. */
function withoutText(terminal: TerminalState): TerminalState {
  if (terminal.textBytes === 0) return terminal;
  return { ...terminal, text: "", textBytes: 0, droppedBytes: terminal.droppedBytes + terminal.textBytes };
}

/** Returns the state without its other lists, because many items that are not entries can fill them. */
function withoutRest(state: SessionState): SessionState {
  const { terminals, plans, subagents, activity, lastTurn, pendingPermissions, pendingElicitations, internal } =
    createSessionState();
  const { stateReported, serial } = state.internal;
  const fresh = { terminals, plans, subagents, activity, lastTurn, pendingPermissions, pendingElicitations };
  const empty = remember(changed(state, fresh), { ...internal, stateReported, serial });
  return noted(empty, "too little room for data outside of the conversation");
}
