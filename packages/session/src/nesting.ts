import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import { NOTHING, oncePer } from "./select.js";
import type { SessionState } from "./state.js";
import { toolCallKey } from "./timeline.js";
import type { KeyedList } from "./vector.js";

/**
 * Function that returns the id of the tool call to which a message or tool call belongs. It returns `undefined` if
 * there is none. Agents send the id in `_meta` of a tool call or message. In chunks of a message it is in `chunkMeta`.
 */
export type ParentResolver = (entry: MessageEntry | ToolCallEntry) => string | undefined;

/** Timeline as a tree. */
export type Nesting = {
  /** Entries that belong to no other entry, in the order of the timeline. */
  readonly roots: readonly Entry[];
  /** Returns the entries that belong to the entry with a key, in the order of the timeline. */
  childrenOf(key: string): readonly Entry[];
  /** Returns the tool call to which the entry with a key belongs. */
  parentOf(key: string): ToolCallEntry | undefined;
};

/**
 * Creates a selector for the work of subagents. The selector puts this work under the tool call that started it. Only
 * an earlier tool call can be a parent. An entry whose parent is missing is a root. For the same timeline, the same
 * object is returned.
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
