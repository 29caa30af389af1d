import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import { NOTHING, oncePer } from "./select.js";
import type { SessionState } from "./state.js";
import { toolCallKey } from "./timeline.js";
import type { KeyedList } from "./vector.js";

/**
 * Returns the id of the tool call that a message or tool call belongs to, or `undefined`. Agents put it into their
 * metadata: `_meta` of a tool call, `chunkMeta` of a message without `_meta`.
 */
export type ParentResolver = (entry: MessageEntry | ToolCallEntry) => string | undefined;

/** A timeline as a tree. */
export type Nesting = {
  /** Entries that belong to no other, in the order of the timeline. */
  readonly roots: readonly Entry[];
  /** Returns the entries that belong to the entry of a key, in the order of the timeline. */
  childrenOf(key: string): readonly Entry[];
  /** Returns the tool call that the entry of a key belongs to. */
  parentOf(key: string): ToolCallEntry | undefined;
};

/**
 * Creates a selector that shows the work of sub-agents under the tool call that began it. Only an earlier tool call can
 * be a parent; an entry with a missing parent is a root. The same timeline returns the same object.
 *
 * @example
 * const selectNesting = createNestingSelector(({ _meta }) => Object(_meta?.claudeCode).parentToolUseId);
 * const { roots, childrenOf } = selectNesting(store.getState());
 */
export function createNestingSelector(parentOf: ParentResolver): (state: SessionState) => Nesting {
  const nestingOf = oncePer((timeline: KeyedList<Entry>) => nested(timeline, parentOf));
  return (state) => nestingOf(state.timeline);
}

function nested(timeline: KeyedList<Entry>, resolve: ParentResolver): Nesting {
  const roots: Entry[] = [];
  const children = new Map<string, Entry[]>();
  const parents = new Map<string, ToolCallEntry>();
  let position = 0;
  for (const entry of timeline) {
    const named = entry.type === "message" || entry.type === "tool_call" ? resolve(entry) : undefined;
    const found = typeof named === "string" ? timeline.indexOf(toolCallKey(named)) : -1;
    const parent = found >= 0 && found < position ? timeline.at(found) : undefined;
    position++;
    if (parent?.type !== "tool_call") {
      roots.push(entry);
      continue;
    }
    parents.set(entry.key, parent);
    const siblings = children.get(parent.key);
    if (siblings === undefined) children.set(parent.key, [entry]);
    else siblings.push(entry);
  }
  return { roots, childrenOf: (key) => children.get(key) ?? NOTHING, parentOf: (key) => parents.get(key) };
}
