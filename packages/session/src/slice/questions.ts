import { type Draft, isLarge, note } from "../draft.js";
import type { SessionEvent } from "../event.js";
import { stated } from "../patch.js";
import type { PendingElicitation, PendingPermission } from "../state.js";
import { foldToolCall } from "./tool-calls.js";

type Event<T extends string> = SessionEvent & { type: T };

/** So many questions of a kind may wait. */
const PENDING = 256;

/** Shows a question until it is answered; the tool call that it is about is folded first (V1-PERM-06). */
export function foldPermissionAsked(draft: Draft, { type: _, extra: __, ...asked }: Event<"permission_asked">): void {
  const { requestId, title, subject, options, at } = asked;
  const toolCall = subject?.type === "tool_call" ? subject.toolCall : undefined;
  if (typeof toolCall?.toolCallId === "string") foldToolCall(draft, { ...toolCall, at });
  const fits = !isLarge(draft, asked);
  if (!fits) note(draft, "a permission question is too large to keep whole", requestId);
  const question: PendingPermission = fits ? stated(asked) : { requestId, title, options, at };
  draft.pendingPermissions = withQuestion(draft, draft.pendingPermissions, question);
}

/** Shows a question until it is answered, and one about a URL until the thing is done there. */
export function foldElicitationAsked(draft: Draft, { type: _, ...question }: Event<"elicitation_asked">): void {
  const pending = { ...stated(question), status: "asked" } as PendingElicitation;
  draft.pendingElicitations = withQuestion(draft, draft.pendingElicitations, pending);
}

/** The question is settled, whoever settled it. */
export function foldPermissionAnswered(draft: Draft, { requestId }: Event<"permission_answered">): void {
  draft.pendingPermissions = draft.pendingPermissions.filter((one) => one.requestId !== requestId);
}

/** The question is settled. An accepted URL stays in sight until the agent says that it is done (V1-ELIC-15). */
export function foldElicitationAnswered(draft: Draft, event: Event<"elicitation_answered">): void {
  const isAccepted = event.answer?.action === "accept";
  takeSteps(draft, (pending) => {
    if (pending.requestId !== event.requestId) return pending.status;
    return isAccepted && pending.mode === "url" && pending.status === "asked" ? "accepted" : undefined;
  });
}

/** What was to be done at a URL is done; an id that nobody asked about is nothing to do (V2-ELI-09). */
export function foldElicitationCompleted(draft: Draft, { elicitationId }: Event<"elicitation_completed">): void {
  takeSteps(draft, (pending) => {
    if (pending.mode !== "url" || pending.elicitationId !== elicitationId) return pending.status;
    return pending.status === "accepted" ? undefined : "completed";
  });
}

/** Brings each elicitation to its next status; what has none is over. */
function takeSteps(
  draft: Draft,
  step: (pending: PendingElicitation) => PendingElicitation["status"] | undefined,
): void {
  draft.pendingElicitations = draft.pendingElicitations.flatMap((pending) => {
    const status = step(pending);
    return status === undefined ? [] : [{ ...pending, status }];
  });
}

type Question = { readonly requestId: string; readonly status?: string };

function withQuestion<T extends Question>(draft: Draft, pending: readonly T[], question: T): readonly T[] {
  let others = pending.filter(({ requestId }) => requestId !== question.requestId);
  if (others.length >= PENDING) {
    // An agent need not say that a thing is done: of those that are only watched the oldest goes first.
    const watched = others.find(({ status }) => status === "accepted");
    others = others.filter((other) => other !== watched);
  }
  if (others.length < PENDING) return [...others, question];
  note(draft, "a question could not be kept", question.requestId);
  return others;
}
