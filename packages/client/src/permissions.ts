import type { Implementation, PermissionQuestion } from "@turnkit/session";
import { checkArgument } from "@turnkit/transport";
import type { PermissionDecision, Session } from "./session.js";

type Awaitable<T> = T | Promise<T>;

/** Permission question of the agent. */
export type PermissionRequest = PermissionQuestion & {
  /** Id for `session.answer`. An item of the array `state.pendingPermissions` has the same `requestId`. */
  readonly requestId: string;
  readonly session: Session;
  /** Name and version of the agent. */
  readonly agent: Implementation;
};

/**
 * Decides permission questions.
 *
 * - `"wait"`: the question waits in the state for `session.answer`.
 * - `undefined`: the question waits too, and is reported as `unanswered`, because the policy may lack a `return`.
 * - If the policy throws, or selects an option that was not offered, the question is cancelled and the failure is reported.
 *
 * The client calls the policy for each question in turn, after listeners were called for earlier events. Later events and
 * questions do not wait for the decision, so several questions may be open at the same time.
 *
 * @param signal aborts when the question was settled in another way: by a cancel, an answer, the agent, or the end of the
 *   session. The reason of the signal is the outcome
 */
export type PermissionPolicy = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Awaitable<PermissionDecision | "wait" | undefined>;

type Options = Pick<PermissionQuestion, "options">;

/**
 * Selects the option of kind `allow_once`. Cancels the question if there is no such option. Also cancels it if there are
 * several, because only a person can choose between them. The client reports such a cancel as `unanswered`.
 *
 * @example
 * const permissions: PermissionPolicy = (question) => allowOnce(question);
 */
export function allowOnce(question: Options): PermissionDecision {
  return onlyOption(question, "allow_once");
}

/** Selects the option of kind `reject_once`. Cancels the question if there are no or several such options. */
export function rejectOnce(question: Options): PermissionDecision {
  return onlyOption(question, "reject_once");
}

function onlyOption(question: Options, kind: "allow_once" | "reject_once"): PermissionDecision {
  const name = kind === "allow_once" ? "allowOnce" : "rejectOnce";
  const remedy = `pass the question, as in permissions: (question) => ${name}(question)`;
  checkArgument(Array.isArray(question?.options), name, { got: question, remedy });
  const { options } = question;
  const fitting = options.filter((option) => option.kind === kind);
  const [option] = fitting;
  // If two options share an id, the selection would also mean the other option.
  const isClear = fitting.length === 1 && options.filter(({ optionId }) => optionId === option?.optionId).length === 1;
  if (option && isClear) return { outcome: "selected", optionId: option.optionId };
  const offered = options.map((one) => one.kind).join(", ") || "nothing";
  const cancelled = { outcome: "cancelled" } as const;
  why.set(cancelled, `${name} found no single option of kind ${kind}. The question offers: ${offered}.`);
  return cancelled;
}

/** Reasons of the cancels that this file decided. */
const why = new WeakMap<object, string>();

/** Returns the reason if {@link allowOnce} or {@link rejectOnce} cancelled a question that it could not answer. */
export function cancelReason(decision: PermissionDecision): string | undefined {
  return why.get(decision);
}
