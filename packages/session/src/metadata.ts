import type { Meta } from "./content.js";
import type { MessageRole, SessionEvent } from "./event.js";
import type { SessionState } from "./state.js";
import { compactionKey, messageKey, sessionMessageKey, toolCallKey } from "./timeline.js";

const roles: { readonly [type: string]: MessageRole } = {
  user_message: "user",
  agent_message: "agent",
  agent_thought: "thought",
};

/** The metadata, as it stands, of what an event patches; `undefined` if it patches no metadata. */
export function metadataAbout(state: SessionState, event: SessionEvent): Meta | undefined {
  switch (event.type) {
    case "session_info_update":
      return state._meta;
    case "terminal_update":
      return state.terminals.get(event.terminalId)?._meta;
    case "subagent_update":
      return state.subagents.get(event.sessionId)?._meta;
    case "tool_call_update":
      return entryMetadata(state, toolCallKey(event.toolCallId));
    case "compaction_update":
      return entryMetadata(state, compactionKey(event.compactionId));
    case "session_message":
      return entryMetadata(state, sessionMessageKey(event.messageId));
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return entryMetadata(state, messageKey(roles[event.type] ?? "agent", event.messageId));
    default:
      return undefined;
  }
}

function entryMetadata(state: SessionState, key: string): Meta | undefined {
  const entry = state.timeline.get(key);
  return entry !== undefined && "_meta" in entry ? entry._meta : undefined;
}

/**
 * The event as it has to be folded for an agent that sends metadata whole, as version 1 and the draft of June 2026 do:
 * new metadata then replaces what was there, where {@link reduce} by itself patches it key by key (V2-SEED-10). Fold
 * with `reduce(state, replacingMetadata(state, event))`; a store does so with `metaMode: "replace"`.
 */
export function replacingMetadata(state: SessionState, event: SessionEvent): SessionEvent {
  if (event.type === "permission_asked" && event.subject?.type === "tool_call") {
    const { subject } = event;
    const toolCall = replacingMetadata(state, { type: "tool_call_update", ...subject.toolCall });
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
