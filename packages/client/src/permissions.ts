import type { PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";
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
 * `session.answer`. A policy that throws, or selects what was not offered, cancels the question.
 *
 * @param signal fires when the question was settled otherwise: by a cancel, an answer, or the end of the session
 */
export type PermissionPolicy = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Awaitable<PermissionDecision | undefined>;

type Pending = {
  readonly question: PermissionQuestion;
  readonly settle: (outcome: PermissionOutcome) => void;
};

/** The open questions of one session. The first decision counts; what comes later is dropped. */
export class PermissionDesk {
  readonly #pending = new Map<string, Pending>();
  #serial = 0;

  /** Enters a question. `outcome` settles once and never rejects. */
  open(question: PermissionQuestion): { readonly requestId: string; readonly outcome: Promise<PermissionOutcome> } {
    this.#serial += 1;
    const requestId = `permission-${this.#serial}`;
    const outcome = new Promise<PermissionOutcome>((resolve) => {
      this.#pending.set(requestId, {
        question,
        settle: (settled) => {
          this.#pending.delete(requestId);
          resolve(settled);
        },
      });
    });
    return { requestId, outcome };
  }

  /** @throws AcpError `state` for an option that was not offered; a question that is settled already is ignored */
  answer(requestId: string, decision: PermissionDecision): void {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return;
    if ("cancel" in decision) return pending.settle({ outcome: "cancelled" });
    if (!pending.question.options.some(({ optionId }) => optionId === decision.select)) {
      throw new AcpError("state", `The question ${requestId} does not offer ${decision.select}.`);
    }
    pending.settle({ outcome: "selected", optionId: decision.select });
  }

  cancel(requestId: string): void {
    this.#pending.get(requestId)?.settle({ outcome: "cancelled" });
  }

  cancelAll(): void {
    for (const pending of [...this.#pending.values()]) pending.settle({ outcome: "cancelled" });
  }
}
