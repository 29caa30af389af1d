import { liveEvents } from "@turnkit/agent/driver";
import { createSessionState, type SessionState, type WireEvent } from "@turnkit/session";
import { joinTextBlocks } from "@turnkit/session/codec";
import { lists } from "./translation.js";

/**
 * Returns the events that bring clients from the state `seen` to `state`. The two states come from different sources,
 * such as another gateway and the log. Only their content is compared. The result repeats nothing that the clients
 * have, and leaves out the activity.
 */
// NATS-09
export function missingEvents(state: SessionState, seen: SessionState): readonly WireEvent[] {
  const nothing = createSessionState();
  const known = new Set([...liveEvents(seen, nothing), ...lists(nothing, seen)].map((event) => JSON.stringify(event)));
  const isNew = (event: WireEvent): boolean => !known.has(JSON.stringify(event));
  const events = [...liveEvents(state, nothing), ...lists(nothing, state)].filter(isNew);
  const removed = [...seen.plans].filter(({ planId }) => !state.plans.has(planId));
  return [
    ...events.flatMap((event) => restOf(event, seen)),
    ...removed.map(({ planId }): WireEvent => ({ type: "plan_removed", planId })),
  ];
}

const chunkOf = {
  user_message: "user_message_chunk",
  agent_message: "agent_message_chunk",
  agent_thought: "agent_thought_chunk",
} as const;

/** Returns the rest of a message if the clients have its start, otherwise the whole event. */
function restOf(event: WireEvent, seen: SessionState): readonly WireEvent[] {
  if (event.type !== "user_message" && event.type !== "agent_message" && event.type !== "agent_thought") return [event];
  const { messageId, content, _meta } = event;
  const entry = [...seen.timeline].find((one) => one.type === "message" && (one.messageId ?? one.key) === messageId);
  if (entry?.type !== "message" || content == null) return [event];
  const had = joinTextBlocks(entry.content.toArray());
  const all = joinTextBlocks(content);
  const rest = all.slice(had.length);
  const [before, now] = [had.at(-1), all[had.length - 1]];
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  if (!same(had.slice(0, -1), all.slice(0, Math.max(0, had.length - 1)))) return [event];
  if (!same(before, now)) {
    const [old, text] = [textOf(before), textOf(now)];
    if (old === undefined || text === undefined || !text.startsWith(old)) return [event];
    rest.unshift({ type: "text", text: text.slice(old.length) });
  }
  return rest.map((block) => ({ type: chunkOf[event.type], messageId, content: block, ...(_meta && { _meta }) }));
}

function textOf(block: unknown): string | undefined {
  const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" && typeof text === "string" ? text : undefined;
}
