import type { ContentBlock } from "../content.js";
import type { MessageRole, SessionEvent } from "../event.js";
import type { SessionState } from "../state.js";

type Types = ReadonlySet<SessionEvent["type"]>;

/** Types of updates that replace a value of the session. A second delivery of such an update changes nothing. */
const values: Types = /* @__PURE__ */ new Set([
  "state_update",
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "usage_update",
]);

/** Types of other updates without a place in the timeline. */
const placeless: Types = /* @__PURE__ */ new Set([
  "subagent_update",
  "plan_update",
  "plan_removed",
  "terminal_update",
  "terminal_output_chunk",
]);

/** Returns `true` for an update that an idle open session gets immediately. Agents never replay notices. */
export const isPassing = ({ type }: SessionEvent): boolean => values.has(type) || type === "notice";

/** Returns `true` for an update without a place in the timeline. */
export const isPlaceless = ({ type }: SessionEvent): boolean => values.has(type) || placeless.has(type);

/** Returns the index of the newest prompt in the timeline. Work in progress does not change earlier messages. */
export function newestPrompt({ timeline }: SessionState): number {
  for (let at = timeline.length - 1; at >= 0; at -= 1) {
    const entry = timeline.at(at);
    if (entry?.type === "message" && entry.role === "user") return at;
  }
  return 0;
}

/** Returns `true` for a piece of a message before the index `past` of the timeline. Only a replay contains such pieces. */
export function isPieceBefore({ timeline }: SessionState, event: SessionEvent, past: number): boolean {
  if (!event.type.endsWith("_chunk") || !("messageId" in event) || event.messageId === undefined) return false;
  const at = timeline.indexOf(`${roles[event.type]}:${event.messageId}`);
  return at >= 0 && at < past;
}

/** Returns `true` if an event repeats the first entry of a conversation. Agents do not repeat notices. */
export function repeatsStart({ timeline }: SessionState, event: SessionEvent): boolean {
  let at = 0;
  while (timeline.at(at)?.type === "notice") at += 1;
  const first = timeline.at(at);
  // A tool call in progress also gets updates that do not belong to a replay.
  if (first?.type === "tool_call")
    return isEnded(first.status) && "toolCallId" in event && first.toolCallId === event.toolCallId;
  if (first?.type !== "message" || roles[event.type] !== first.role) return false;
  const messageId = "messageId" in event ? event.messageId : undefined;
  if (messageId !== undefined && first.messageId !== undefined) return messageId === first.messageId;
  return "content" in event && isSameStart(event.content, first.content.at(0));
}

/**
 * Returns `true` if an event may begin a replay: it repeats the first entry, it is a `user_message_chunk`, or the conversation
 * has no entries.
 */
export function mayBegin(state: SessionState, event: SessionEvent): boolean {
  return state.timeline.length === 0 || event.type === "user_message_chunk" || repeatsStart(state, event);
}

/** Returns `true` if one text is the beginning of the other. Also returns `true` if one of the contents is not text. */
function isSameStart(content: unknown, block: ContentBlock | undefined): boolean {
  const one = textOf(Array.isArray(content) ? content[0] : content);
  const other = textOf(block);
  if (one === undefined || other === undefined) return true;
  return one !== "" && (one.startsWith(other) || other.startsWith(one));
}

function textOf(block: unknown): string | undefined {
  const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" && typeof text === "string" ? text : undefined;
}

const isEnded = (status: unknown): boolean => status === "completed" || status === "failed" || status === "cancelled";

/** Roles of messages, by the type of the event. */
const roles: { readonly [type: string]: MessageRole | undefined } = {
  user_message: "user",
  user_message_chunk: "user",
  agent_message: "agent",
  agent_message_chunk: "agent",
  agent_thought: "thought",
  agent_thought_chunk: "thought",
};
