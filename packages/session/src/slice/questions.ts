import { changed, isLarge, noted } from "../change.js";
import type { EventOf } from "../event.js";
import { stated } from "../patch.js";
import type { PendingElicitation, PendingPermission, SessionState } from "../state.js";
import { foldToolCall } from "./tool-calls.js";

/** Maximum number of open questions of one kind. */
export const PENDING = 256;

/** Adds a permission question, which stays until it is answered. Its tool call is applied first. */
// V1-PERM-06
export function foldPermissionAsked(
  state: SessionState,
  { type: _, extra: __, ...asked }: EventOf<"permission_asked">,
): SessionState {
  const { requestId, title, subject, options, at } = asked;
  const toolCall = subject?.type === "tool_call" ? subject.toolCall : undefined;
  let next = typeof toolCall?.toolCallId === "string" ? foldToolCall(state, { ...toolCall, at }) : state;
  const fits = !isLarge(state, asked);
  if (!fits) next = noted(next, "a permission question is too large to keep whole", requestId);
  const question: PendingPermission = fits ? stated(asked) : { requestId, title, options, at };
  return withQuestion(next, "pendingPermissions", question);
}

/**
 * Adds an elicitation, which stays until it is answered. An elicitation with a URL stays until the task at the URL is
 * done.
 */
export function foldElicitationAsked(
  state: SessionState,
  { type: _, ...question }: EventOf<"elicitation_asked">,
): SessionState {
  return withQuestion(state, "pendingElicitations", { ...stated(question), status: "asked" } as PendingElicitation);
}

/** Removes a question that the agent or the client has settled. */
export function foldPermissionAnswered(
  state: SessionState,
  { requestId }: EventOf<"permission_answered">,
): SessionState {
  return changed(state, { pendingPermissions: state.pendingPermissions.filter((one) => one.requestId !== requestId) });
}

/** Settles an elicitation. An accepted URL stays until the agent reports that the task is done. */
// V1-ELIC-15
export function foldElicitationAnswered(state: SessionState, event: EventOf<"elicitation_answered">): SessionState {
  const isAccepted = event.answer?.action === "accept";
  return stepped(state, (pending) => {
    if (pending.requestId !== event.requestId) return pending.status;
    return isAccepted && pending.mode === "url" && pending.status === "asked" ? "accepted" : undefined;
  });
}

/** Applies the end of a task at a URL. An unknown id changes nothing. */
// V2-ELI-09
export function foldElicitationCompleted(
  state: SessionState,
  { elicitationId }: EventOf<"elicitation_completed">,
): SessionState {
  return stepped(state, (pending) => {
    if (pending.mode !== "url" || pending.elicitationId !== elicitationId) return pending.status;
    return pending.status === "accepted" ? undefined : "completed";
  });
}

/** Moves each elicitation to its next status. Elicitations without a next status are removed. */
function stepped(
  state: SessionState,
  step: (pending: PendingElicitation) => PendingElicitation["status"] | undefined,
): SessionState {
  const pendingElicitations = state.pendingElicitations.flatMap((pending) => {
    const status = step(pending);
    return status === undefined ? [] : [{ ...pending, status }];
  });
  return changed(state, { pendingElicitations });
}

type Question = { readonly requestId: string; readonly status?: string };

function withQuestion(
  state: SessionState,
  list: "pendingPermissions" | "pendingElicitations",
  question: Question,
): SessionState {
  let others = (state[list] as readonly Question[]).filter(({ requestId }) => requestId !== question.requestId);
  if (others.length >= PENDING) {
    // Agents need not report the end of a task. If too many elicitations wait for it, the oldest is removed.
    const watched = others.find(({ status }) => status === "accepted");
    others = others.filter((other) => other !== watched);
  }
  if (others.length < PENDING) return changed(state, { [list]: [...others, question] });
  return changed(noted(state, "a question could not be kept", question.requestId), { [list]: others });
}
