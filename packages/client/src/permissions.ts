import type { Implementation, PermissionQuestion } from "@turnkit/session";
import type { PermissionDecision, Session } from "./session.js";

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
 * Policies are called in the order of the questions, after listeners were called for earlier events. They
 * do not wait for each other, and later events do not wait for them: several questions may be open at once.
 *
 * @param signal aborts when the question was settled elsewhere: by a cancel, an answer, the agent, or the end of the
 *   session; its reason is the outcome
 */
export type PermissionPolicy = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Awaitable<PermissionDecision | undefined>;

type Options = Pick<PermissionQuestion, "options">;

/**
 * Selects the option of kind `allow_once`. Cancels the question if there is none, or more than one: only a person can
 * choose between several.
 *
 * @example
 * const permissions: PermissionPolicy = (question) => allowOnce(question);
 */
export function allowOnce({ options }: Options): PermissionDecision {
  return onlyOption(options, "allow_once");
}

/** Selects the option of kind `reject_once`. Cancels the question if there is none, or more than one. */
export function rejectOnce({ options }: Options): PermissionDecision {
  return onlyOption(options, "reject_once");
}

function onlyOption(options: Options["options"], kind: string): PermissionDecision {
  const fitting = options.filter((option) => option.kind === kind);
  const [option] = fitting;
  // An id that two options share would select the other one too.
  const isClear = fitting.length === 1 && options.filter(({ optionId }) => optionId === option?.optionId).length === 1;
  return option && isClear ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
}
