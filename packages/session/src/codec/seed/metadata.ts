import type { Meta } from "../../content.js";
import type { MessageUpsert, WireEvent } from "../../event.js";
import type { SessionState } from "../../state.js";
import { messageKey, toolCallKey } from "../../timeline.js";

type Patch = MessageUpsert | (WireEvent & { readonly type: "tool_call_update" | "session_info_update" });

/**
 * Metadata as a whole: in seed it replaces what was there (3.1). Keys that went are said as `null`, which a reader of
 * either rule takes for absent.
 */
export function wholeMeta(event: Patch, before: SessionState, after: SessionState): Meta | null | undefined {
  if (event._meta === undefined) return undefined;
  const whole = metaOf(event, after);
  if (whole === undefined) return null;
  const gone = Object.keys(metaOf(event, before) ?? {}).filter((key) => !Object.hasOwn(whole, key));
  return gone.length === 0 ? whole : { ...whole, ...Object.fromEntries(gone.map((key) => [key, null])) };
}

function metaOf(event: Patch, state: SessionState): Meta | undefined {
  if (event.type === "session_info_update") return state._meta;
  const entry = state.timeline.get(keyOf(event));
  return entry?.type === "message" || entry?.type === "tool_call" ? entry._meta : undefined;
}

function keyOf(event: Exclude<Patch, { readonly type: "session_info_update" }>): string {
  if (event.type === "tool_call_update") return toolCallKey(event.toolCallId);
  const role = event.type === "user_message" ? "user" : event.type === "agent_message" ? "agent" : "thought";
  return messageKey(role, event.messageId);
}
