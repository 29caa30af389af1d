import type { SubagentState } from "./activity.js";
import { grownBy } from "./bytes.js";
import { type ItemList, noted, remember, withItems, withKeysNoted } from "./change.js";
import { hasPath, isContentBlock, isToolCallContent, type Patching, patchedBy } from "./entity.js";
import type { Entry, ToolCallEntry } from "./entry.js";
import { type GrowingList, withinEntryBound } from "./entry-bound.js";
import type { Whole } from "./patch.js";
import { append, emptySequence } from "./persistent-list.js";
import type { SessionState } from "./state.js";
import { COMPLETE } from "./timeline.js";
import type { PersistentList, Vector } from "./vector.js";

/**
 * Kind of item that updates identify by an id. The first update with an id creates the item, and later updates change
 * it.
 */
export type Kind = Patching & {
  /** List of the state that holds the items. */
  readonly list: ItemList;
  /** Name of the member with the id. */
  readonly id: string;
  /** Maximum number of items. If it is absent, only the size of the items is bounded. */
  readonly most?: number;
  /** Number of the oldest items that are dropped together if the list is full. */
  readonly surplus?: number;
  /** Returns the items in the order in which they are dropped. Without it, the oldest items are dropped first. */
  readonly dropped?: (items: readonly object[]) => readonly object[];
};

/**
 * Tool calls. All members are listed, so all objects have one shape in V8. The single shape halves the cost of a
 * change.
 */
// V1-UPD-11, V1-UPD-17
export const TOOL_CALL_KIND: Kind = {
  list: "timeline",
  id: "toolCallId",
  fresh: {
    type: "tool_call",
    key: "",
    toolCallId: "",
    name: undefined,
    title: undefined,
    kind: "other",
    status: "pending",
    cancelledLocally: undefined,
    content: /* @__PURE__ */ emptySequence(),
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    capabilities: undefined,
    dropped: undefined,
    _meta: undefined,
    at: undefined,
  } satisfies Whole<ToolCallEntry>,
  lists: { __proto__: null, content: isToolCallContent, locations: hasPath },
};

/** Compactions. */
// V1-UPD-38
export const COMPACTION_KIND: Kind = {
  list: "timeline",
  id: "compactionId",
  fresh: { type: "compaction", status: "in_progress", summary: /* @__PURE__ */ emptySequence() },
  lists: { __proto__: null, summary: isContentBlock },
};

/** Messages between sessions. */
// V2-UPD-28
export const SESSION_MESSAGE_KIND: Kind = {
  list: "timeline",
  id: "messageId",
  fresh: { type: "session_message", content: /* @__PURE__ */ emptySequence() },
  lists: { __proto__: null, content: isContentBlock },
};

/** Terminals. */
// V2-TERM-03
export const TERMINAL_KIND: Kind = {
  list: "terminals",
  id: "terminalId",
  most: 1000,
  surplus: 250,
  fresh: { text: "", textBytes: 0, droppedBytes: 0, pendingBytes: [] },
};

/** Plans. */
export const PLAN_KIND: Kind = { list: "plans", id: "planId", most: 100, surplus: 1 };

/** Child sessions. */
// V2-UPD-26, P-SUB-19
export const SUBAGENT_KIND: Kind = { list: "subagents", id: "sessionId", most: 1024, surplus: 256, dropped: idleFirst };

/**
 * Returns the idle child sessions, then the child sessions of unknown activity. If there are neither, returns all child
 * sessions. The oldest are first.
 */
function idleFirst(items: readonly object[]): readonly object[] {
  const stateOf = (item: object): string | undefined => (item as SubagentState).activity?.state;
  const idle = items.filter((item) => stateOf(item) === "idle");
  const unknown = items.filter((item) => (stateOf(item) ?? "unknown") === "unknown");
  return idle.length + unknown.length > 0 ? [...idle, ...unknown] : items;
}

type Members = { readonly [member: string]: unknown };

/** Changes the item of an event. If the item does not exist, creates it. */
export function upserted<T extends object>(
  state: SessionState,
  event: object,
  kind: Kind,
  change: (known: T) => T,
): SessionState {
  const { list, id, fresh } = kind;
  const name = (event as Members)[id];
  const isEntry = list === "timeline";
  const items = state[list] as Vector<never>;
  const last = items.at(-1) as Members | undefined;
  // Nearly all events change the last item. For them, no key is created and hashed.
  const isLast = last?.[id] === name && last?.type === (fresh as Members | undefined)?.type;
  const key = isEntry && !isLast ? `${(fresh as Entry).type}:${name}` : (name as string);
  const position = isLast ? items.length - 1 : items.indexOf(key);
  if (position >= 0) {
    const before = items.at(position) as never;
    const after = change(before) as never;
    if (after === before) return state;
    // A plan is replaced as a whole. Other kinds never lose members.
    const grown = kind === PLAN_KIND ? undefined : grownBy(before, after);
    return withItems(state, list, items.set(position, after, grown));
  }
  const made = { ...fresh } as { [member: string]: unknown };
  made[id] = name;
  if (isEntry) {
    made.key = key;
    made.at = (event as Members).at;
  }
  const next = withNewItem(state, change(made as T), kind);
  return isEntry ? remember(next, COMPLETE) : next;
}

function withoutOldest<T extends object>(items: readonly T[], surplus: number, dropped: Kind["dropped"]): readonly T[] {
  if (dropped === undefined) return items.slice(surplus);
  const gone = new Set(dropped(items).slice(0, surplus));
  return items.filter((one) => !gone.has(one));
}

/** Returns the state with a new item at the end of its list. If the list is full, items are dropped. */
export function withNewItem(
  state: SessionState,
  item: object,
  kind: Pick<Kind, "list" | "most" | "surplus" | "dropped">,
): SessionState {
  const { list, most = Number.POSITIVE_INFINITY, surplus = 1, dropped } = kind;
  const items = state[list] as Vector<never>;
  const isFull = items.length >= most;
  const room = isFull ? items.of(withoutOldest([...items], surplus, dropped)) : items;
  const next = withItems(state, list, room.push(item as never));
  return isFull ? noted(next, `more than ${most} ${list}`) : next;
}

/** Patches the item of an event. */
export function patchKind<T extends object = Members>(
  state: SessionState,
  event: object,
  kind: Kind,
  patch: (known: T) => T = (known) => patchedBy(known, event, kind),
): SessionState {
  let meta: unknown;
  const next = upserted<T>(state, event, kind, (known) => {
    const after = patch(known);
    meta = (after as Members)._meta;
    return after;
  });
  return withKeysNoted(next, meta as undefined, (event as Members)._meta);
}

/** Adds content to the growing list of the item of an event. */
export function addToKind(state: SessionState, event: { readonly content: unknown }, kind: Kind): SessionState {
  const [list] = Object.keys(kind.lists as object) as [GrowingList];
  return upserted<Members>(state, event, kind, (known) => {
    const grown = { ...known, [list]: append(known[list] as PersistentList<unknown>, event.content) };
    // Version 1 sends the whole content of a tool call each time, so no item may be missing.
    return kind === TOOL_CALL_KIND ? grown : withinEntryBound(grown, list, state);
  });
}
