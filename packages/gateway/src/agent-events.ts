import type { SessionEvent, WireEvent } from "@turnkit/session";

/** Types of events that the gateway's client adds, and of events about the replay between agent and gateway. */
const own: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "session_opened",
  "prompt_sent",
  "prompt_accepted",
  "prompt_failed",
  "turn_started",
  "turn_ended",
  "cancel_asked",
  "permission_asked",
  "permission_answered",
  "elicitation_asked",
  "elicitation_answered",
  "elicitation_completed",
  "config_option_set",
  "replay_started",
  "replay_ended",
  "replay_complete",
  "state_restored",
  "session_data",
  "child_session_event",
  "session_closed",
]);

/** Returns true for an event that the agent sent, or that its dialect implies. */
export const isWire = (event: SessionEvent): event is WireEvent & SessionEvent => !own.has(event.type);

/** Returns an implied event as if the agent had sent it. Attachments of other dialects need such events. */
export function withoutMark(event: WireEvent & SessionEvent): WireEvent {
  if (event.isImplied !== true) return event;
  const { isImplied: _, ...wireEvent } = event;
  return wireEvent as WireEvent;
}
