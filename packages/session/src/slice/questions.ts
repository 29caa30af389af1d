import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import type { PendingElicitation, PendingPermission, SessionState } from "../state.js";
import { updated, withAnomaly } from "../timeline.js";
import { foldToolCall } from "./tool-calls.js";

type Event<T extends string> = SessionEvent & { type: T };
type Pending = "pendingPermissions" | "pendingElicitations";
type Question = PendingPermission | PendingElicitation;

/** So many questions of a kind may wait. */
const PENDING = 256;
/** No single question may fill the state: it has this share of `stateBytes`, and all of its kind twice as much. */
const SHARE = 16;

/** Shows a question until it is answered; the tool call that it is about is folded first (V1-PERM-06). */
export function foldPermissionAsked(state: SessionState, event: Event<"permission_asked">): SessionState {
  const { requestId, title, description, subject, options, _meta, at } = event;
  const toolCall = subject?.type === "tool_call" ? subject.toolCall : undefined;
  const next = typeof toolCall?.toolCallId === "string" ? foldToolCall(state, { ...toolCall, at }) : state;
  const needed: PendingPermission = { requestId, title, options, at };
  const more = { description: description ?? undefined, subject: subject ?? undefined, _meta: _meta ?? undefined };
  const question = { ...needed, ...more };
  if (!isLarge(next, question)) return withQuestion(next, "pendingPermissions", question);
  const noted = withAnomaly(next, "a permission question is too large to keep whole", requestId);
  return withQuestion(noted, "pendingPermissions", needed);
}

/** Shows a question until it is answered, and one about a URL until the thing is done there. */
export function foldElicitationAsked(state: SessionState, event: Event<"elicitation_asked">): SessionState {
  const { type: _, toolCallId, ...question } = event;
  const pending = { ...question, toolCallId: toolCallId ?? undefined, status: "asked" } as PendingElicitation;
  return withQuestion(state, "pendingElicitations", pending);
}

/** The question is settled, whoever settled it. */
export function foldPermissionAnswered(state: SessionState, { requestId }: Event<"permission_answered">): SessionState {
  return updated(state, { pendingPermissions: state.pendingPermissions.filter((one) => one.requestId !== requestId) });
}

/** The question is settled. An accepted URL stays in sight until the agent says that it is done (V1-ELIC-15). */
export function foldElicitationAnswered(state: SessionState, event: Event<"elicitation_answered">): SessionState {
  const isAccepted = event.answer?.action === "accept";
  return withSteps(state, (pending) => {
    if (pending.requestId !== event.requestId) return pending.status;
    return isAccepted && pending.mode === "url" && pending.status === "asked" ? "accepted" : undefined;
  });
}

/** What was to be done at a URL is done; an id that nobody asked about is nothing to do (V2-ELI-09). */
export function foldElicitationCompleted(
  state: SessionState,
  { elicitationId }: Event<"elicitation_completed">,
): SessionState {
  return withSteps(state, (pending) => {
    if (pending.mode !== "url" || pending.elicitationId !== elicitationId) return pending.status;
    return pending.status === "accepted" ? undefined : "completed";
  });
}

/** Brings each elicitation to its next status; what has none is over. */
function withSteps(
  state: SessionState,
  statusOf: (pending: PendingElicitation) => PendingElicitation["status"] | undefined,
): SessionState {
  const pendingElicitations = state.pendingElicitations.flatMap((pending) => {
    const status = statusOf(pending);
    return status === undefined ? [] : [{ ...pending, status }];
  });
  return updated(state, { pendingElicitations });
}

function withQuestion(state: SessionState, list: Pending, question: Question): SessionState {
  const others = (state[list] as readonly Question[]).filter(({ requestId }) => requestId !== question.requestId);
  // An agent need not say that a thing is done: of those that are only watched the oldest goes first.
  const watched = others.findIndex((other) => "status" in other && other.status === "accepted");
  const room = others.length < PENDING || watched < 0 ? others : others.toSpliced(watched, 1);
  const all = [...room, question];
  const fits = room.length < PENDING && !isLarge(state, question) && bytesOf(all) <= 2 * shareOf(state);
  if (fits) return updated(state, { [list]: all });
  return withAnomaly(updated(state, { [list]: room }), "a question could not be kept", question.requestId);
}

const shareOf = (state: SessionState): number => state.limits.stateBytes / SHARE;
const isLarge = (state: SessionState, question: Question): boolean => bytesOf(question) > shareOf(state);
