import type { NoticeEntry } from "../entry.js";
import type { SessionEvent } from "../event.js";
import type { SessionState } from "../state.js";
import { numbered, withEntry } from "../timeline.js";

/** Shows a notice where it came. Equal notices are separate, and they are no history: no message ends by one (V1-UPD-35). */
export function foldNotice(state: SessionState, event: SessionEvent & { type: "notice" }): SessionState {
  if (typeof event.title !== "string") return foldUnknown(state, event, "a notice needs a title");
  const { key, state: next } = numbered(state, "notice");
  const { severity, title, at } = event;
  const description = event.description ?? undefined;
  const entry: NoticeEntry = { type: "notice", key, severity, title, description, _meta: event._meta ?? undefined, at };
  return withEntry(next, entry, state.internal.openMessage);
}

/** Keeps what nobody here can read, at the place where it came. A reader that drops it sees the same messages. */
export function foldUnknown(state: SessionState, raw: unknown, reason?: string, at?: number): SessionState {
  const { key, state: next } = numbered(state, "unknown");
  return withEntry(next, { type: "unknown", key, raw, reason, at }, state.internal.openMessage);
}
