import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { kept } from "../patch.js";
import type { PendingPermission, SessionState } from "../state.js";
import { withAnomaly } from "../timeline.js";
import { foldUnknown } from "./notices.js";
import { foldToolCall } from "./tool-calls.js";

type Event<T extends string> = SessionEvent & { type: T };

const PENDING = 256;
/** No single question may fill the state: above this share of `stateBytes` it is kept without its subject. */
const SHARE = 16;

/** Shows a question until it is answered; the tool call that it is about is folded first (V1-PERM-06). */
export function foldPermissionAsked(state: SessionState, event: Event<"permission_asked">): SessionState {
  const { requestId, title, subject, options } = event;
  if (typeof requestId !== "string" || typeof title !== "string" || !Array.isArray(options)) {
    return foldUnknown(state, event, "a question needs an id, a title and options", event.at);
  }
  let next = state;
  if (subject?.type === "tool_call" && subject.toolCall) next = foldToolCall(state, subject.toolCall, event.at);
  const question: PendingPermission = {
    requestId,
    title,
    description: event.description ?? undefined,
    subject: subject ?? undefined,
    options,
    _meta: event._meta ?? undefined,
    at: event.at,
  };
  const others = next.pendingPermissions.filter((other) => other.requestId !== requestId);
  const most = state.limits.stateBytes;
  const large = bytesOf(question, most) > most / SHARE;
  const fits = large ? { ...question, description: undefined, subject: undefined, _meta: undefined } : question;
  if (large) next = withAnomaly(next, "a permission question is too large to keep whole", requestId);
  if (others.length >= PENDING || questionBytes([...others, fits], most) > (2 * most) / SHARE) {
    return withAnomaly(withPending(next, others), "a permission question could not be kept", requestId);
  }
  return withPending(next, [...others, fits]);
}

/** The question is settled, whoever settled it. */
export function foldPermissionAnswered(state: SessionState, requestId: string): SessionState {
  const others = state.pendingPermissions.filter((other) => other.requestId !== requestId);
  return withPending(state, others);
}

/** Sets the open questions and counts their bytes. */
export function withPending(state: SessionState, pendingPermissions: readonly PendingPermission[]): SessionState {
  const next = kept(state.pendingPermissions, pendingPermissions);
  if (next === state.pendingPermissions) return state;
  const most = state.limits.stateBytes;
  const bytes = state.bytes + questionBytes(next, most) - questionBytes(state.pendingPermissions, most);
  return { ...state, pendingPermissions: next, bytes };
}

const questionBytes = (questions: readonly PendingPermission[], most: number): number =>
  questions.reduce((sum, question) => sum + bytesOf(question, most), 0);
