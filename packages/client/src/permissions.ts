import type { Implementation, PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";
import type { QuestionKind } from "./pending-questions.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { Session } from "./session.js";

type Awaitable<T> = T | Promise<T>;

/** Permission question of the agent. */
export type PermissionRequest = PermissionQuestion & {
  /** Id for `session.answer`; also the key in `state.pendingPermissions`. */
  readonly requestId: string;
  readonly session: Session;
  /** Name and version of the agent. */
  readonly agent: Implementation;
};

/**
 * Decides permission questions. `undefined` leaves the question in the state until `session.answer`. A policy that
 * throws, or selects an option that was not offered, cancels the question and is reported.
 *
 * Policies are called in the order of the questions, after listeners got the events before. They do not wait for each
 * other and delay nothing: several questions may be open at once.
 *
 * @param signal aborts when the question was settled elsewhere: by a cancel, an answer, the agent, or the end of the
 *   session; its reason is the outcome
 */
export type PermissionPolicy = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Awaitable<PermissionDecision | undefined>;

/** Makes the kind of permission questions. A policy may answer them. */
export function permissionKind(
  policy: PermissionPolicy | undefined,
  agent: Implementation,
): QuestionKind<PermissionQuestion, PermissionOutcome> {
  return {
    name: "permission",
    dismissed: { outcome: "cancelled" },
    asked: (requestId, question) => ({ type: "permission_asked", requestId, ...question }),
    answered: (requestId, outcome) => ({ type: "permission_answered", requestId, outcome }),
    isShown: ({ state }, requestId) => state.pendingPermissions.some((shown) => shown.requestId === requestId),
    workOf({ subject }) {
      const known = subject as Extract<PermissionQuestion["subject"], { type: "tool_call" | "command" }> | undefined;
      if (known?.type === "tool_call") return { toolCallId: known.toolCall.toolCallId };
      return known?.type === "command" ? known : {};
    },
    answerOf(requestId, { options }, decision) {
      if ("action" in decision) {
        throw new AcpError("state", `The question ${requestId} takes one of its options, or a cancel.`);
      }
      if (decision.outcome === "cancelled") return { outcome: "cancelled" };
      const { optionId } = decision;
      if (options.some((option) => option.optionId === optionId)) return { outcome: "selected", optionId };
      throw new AcpError("state", `The question ${requestId} does not offer ${optionId}.`);
    },
    decide: (requestId, question, session, signal) => policy?.({ ...question, requestId, session, agent }, signal),
  };
}
