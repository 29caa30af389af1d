import type { PermissionQuestion } from "@turnkit/session";
import type { Session } from "./session.js";

type Awaitable<T> = T | Promise<T>;

/** A question of the agent. */
export type PermissionRequest = PermissionQuestion & {
  /** Names it for `session.answer`; also the key of `state.pendingPermissions`. */
  readonly requestId: string;
  readonly session: Session;
};

/** The id of one of the offered options, or no answer but a dismissal. */
export type PermissionDecision = { readonly select: string } | { readonly cancel: true };

/**
 * Decides without asking anybody. `undefined` leaves the question to a person: it stays in the state until
 * `session.answer`. A policy that throws, or selects what was not offered, cancels the question and is reported.
 *
 * Policies are called in the order of the questions, after listeners were told what came before. They do not wait for
 * each other and hold nothing up: several questions may be open at once.
 *
 * @param signal fires when the question was settled otherwise: by a cancel, an answer, the agent, or the end of the
 *   session
 */
export type PermissionPolicy = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Awaitable<PermissionDecision | undefined>;
