import { bytesOf, bytesOfAll } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { kept } from "../patch.js";
import type { PendingElicitation, SessionState } from "../state.js";
import { withAnomaly } from "../timeline.js";
import { foldUnknown } from "./notices.js";

type Event<T extends string> = SessionEvent & { type: T };

const PENDING = 256;
/** No single question may fill the state: above this share of `stateBytes` it is not shown. */
const SHARE = 16;

/** Shows a question until it is answered, and one about a URL until the thing is done there. */
export function foldElicitationAsked(state: SessionState, event: Event<"elicitation_asked">): SessionState {
  const { type: _, toolCallId, ...question } = event;
  if (typeof event.requestId !== "string" || typeof event.message !== "string" || typeof event.mode !== "string") {
    return foldUnknown(state, event, "a question needs an id, a message and a mode", event.at);
  }
  const pending = { ...question, toolCallId: toolCallId ?? undefined, status: "asked" } as PendingElicitation;
  const most = state.limits.stateBytes;
  const others = withRoom(state.pendingElicitations.filter((other) => other.requestId !== event.requestId));
  const large = bytesOf(pending, most) > most / SHARE || bytesOfAll([...others, pending], most) > (2 * most) / SHARE;
  if (large || others.length >= PENDING) {
    return withAnomaly(withElicitations(state, others), "a question could not be kept", event.requestId);
  }
  return withElicitations(state, [...others, pending]);
}

/** The question is settled. An accepted URL stays in sight until the agent says that it is done (V1-ELIC-15). */
export function foldElicitationAnswered(state: SessionState, event: Event<"elicitation_answered">): SessionState {
  const accepted = event.answer?.action === "accept";
  const next = state.pendingElicitations.flatMap((pending): readonly PendingElicitation[] => {
    if (pending.requestId !== event.requestId) return [pending];
    return accepted && pending.mode === "url" && pending.status === "asked" ? [{ ...pending, status: "accepted" }] : [];
  });
  return withElicitations(state, next);
}

/** What was to be done at a URL is done; an id that nobody asked about is nothing to do (V2-ELI-09). */
export function foldElicitationCompleted(state: SessionState, elicitationId: string): SessionState {
  const next = state.pendingElicitations.flatMap((pending): readonly PendingElicitation[] => {
    if (pending.mode !== "url" || pending.elicitationId !== elicitationId) return [pending];
    return pending.status === "accepted" ? [] : [{ ...pending, status: "completed" }];
  });
  return withElicitations(state, next);
}

/** Sets the open questions and counts their bytes. */
export function withElicitations(state: SessionState, pending: readonly PendingElicitation[]): SessionState {
  const next = kept(state.pendingElicitations, pending);
  if (next === state.pendingElicitations) return state;
  const most = state.limits.stateBytes;
  const bytes = state.bytes + bytesOfAll(next, most) - bytesOfAll(state.pendingElicitations, most);
  return { ...state, pendingElicitations: next, bytes };
}

/** An agent need not say that a thing is done: of those that are only watched the oldest goes first. */
function withRoom(pending: readonly PendingElicitation[]): readonly PendingElicitation[] {
  if (pending.length < PENDING) return pending;
  const watched = pending.findIndex(({ status }) => status === "accepted");
  return watched < 0 ? pending : pending.filter((_, index) => index !== watched);
}
