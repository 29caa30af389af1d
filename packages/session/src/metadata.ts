import type { ItemList } from "./change.js";
import type { Meta } from "./content.js";
import type { SessionEvent } from "./event.js";
import type { SessionState } from "./state.js";

/** List of an item, the member of an event that contains the item's id, and the prefix of its key. */
type MetadataTarget = readonly [list: ItemList, id: string, prefix: string];

/** Lists and members for the events that change metadata of an item. */
const TARGETS: ReadonlyMap<string, MetadataTarget> = /* @__PURE__ */ new Map([
  ["terminal_update", ["terminals", "terminalId", ""]],
  ["subagent_update", ["subagents", "sessionId", ""]],
  ["tool_call_update", ["timeline", "toolCallId", "tool_call:"]],
  ["compaction_update", ["timeline", "compactionId", "compaction:"]],
  ["session_message", ["timeline", "messageId", "session_message:"]],
  ["user_message", ["timeline", "messageId", "user:"]],
  ["agent_message", ["timeline", "messageId", "agent:"]],
  ["agent_thought", ["timeline", "messageId", "thought:"]],
]);

/** Returns the current metadata of the item that an event changes. Returns `undefined` if the event changes no item. */
export function metadataAbout(state: SessionState, event: SessionEvent): Meta | undefined {
  if (event.type === "session_info_update") return state._meta;
  const target = TARGETS.get(event.type);
  if (target === undefined) return undefined;
  const [list, id, prefix] = target;
  const patched = state[list].get(`${prefix}${event[id as "type"]}`);
  return (patched as { readonly _meta?: Meta } | undefined)?._meta;
}

/**
 * Returns an event that replaces the old metadata with the new one, although {@link reduce} patches metadata by key.
 * Agents of version 1 and seed send complete metadata. Use `reduce(state, replacingMetadata(state, event))`, or a store
 * with `metaMode: "replace"`.
 */
// V2-SEED-10
export function replacingMetadata(state: SessionState, event: SessionEvent): SessionEvent {
  try {
    return replaced(state, event);
  } catch {
    // No codec creates this event. The reducer handles it.
    return event;
  }
}

function replaced(state: SessionState, event: SessionEvent): SessionEvent {
  if (event.type === "permission_asked" && event.subject?.type === "tool_call") {
    const { subject } = event;
    const toolCall = replaced(state, { type: "tool_call_update", ...subject.toolCall });
    const { _meta } = toolCall as { readonly _meta?: Meta | null };
    return _meta === subject.toolCall?._meta
      ? event
      : { ...event, subject: { ...subject, toolCall: { ...subject.toolCall, _meta } } };
  }
  const said = "_meta" in event ? event._meta : undefined;
  if (typeof said !== "object" || said === null) return event;
  const gone = Object.keys(metadataAbout(state, event) ?? {}).filter((key) => !Object.hasOwn(said, key));
  if (gone.length === 0) return event;
  return { ...event, _meta: { ...Object.fromEntries(gone.map((key) => [key, null])), ...said } } as SessionEvent;
}
