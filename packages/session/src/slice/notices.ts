import type { SessionEvent } from "../event.js";
import type { SessionState } from "../state.js";
import { numbered, withEntry } from "../timeline.js";

/** Shows a notice where it came. Equal notices are separate (V1-UPD-35). */
export function foldNotice(state: SessionState, event: SessionEvent & { type: "notice" }): SessionState {
  if (typeof event.title !== "string") return foldUnknown(state, event, "a notice needs a title");
  const { key, state: next } = numbered(state, "notice");
  return withEntry(next, {
    type: "notice",
    key,
    severity: event.severity,
    title: event.title,
    description: event.description ?? undefined,
    _meta: event._meta ?? undefined,
    at: event.at,
  });
}

/** Keeps what nobody here can read, at the place where it came. */
export function foldUnknown(state: SessionState, raw: unknown, reason?: string, at?: number): SessionState {
  const { key, state: next } = numbered(state, "unknown");
  return withEntry(next, { type: "unknown", key, raw, reason, at });
}
