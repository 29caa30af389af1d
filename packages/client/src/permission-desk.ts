import type { PermissionOutcome, PermissionQuestion, SessionEvent } from "@turnkit/session";
import { AcpError, type Diagnostic, type InboundCall } from "@turnkit/transport";
import type { PermissionDecision, PermissionPolicy } from "./permissions.js";
import type { Session } from "./session.js";

/** What the questions of a session need of it. */
export type PermissionHost = {
  readonly policy: PermissionPolicy | undefined;
  readonly session: Session;
  tell(event: SessionEvent, bytes: number): void;
  /** Runs `work` in its place among what listeners are told. */
  begin(work: () => void): void;
  /** Whether a question that comes now belongs to work that was cancelled already. */
  refuses(question: PermissionQuestion): boolean;
  report(diagnostic: Diagnostic): void;
};

type Open = {
  readonly question: PermissionQuestion;
  readonly settled: AbortController;
  readonly resolve: (outcome: PermissionOutcome) => void;
};

const DISMISSED: PermissionOutcome = { outcome: "cancelled" };

/** The open questions of one session. The first decision counts; what comes later is dropped. */
export class PermissionDesk {
  readonly #host: PermissionHost;
  readonly #open = new Map<string, Open>();
  #serial = 0;

  constructor(host: PermissionHost) {
    this.#host = host;
  }

  /** Shows a question at receipt and puts it to the policy in its place. Settles once and never rejects. */
  ask(question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    this.#serial += 1;
    const requestId = `permission-${this.#serial}`;
    const settled = new AbortController();
    const outcome = new Promise<PermissionOutcome>((resolve) => {
      this.#open.set(requestId, { question, settled, resolve });
    });
    this.#host.tell({ type: "permission_asked", requestId, ...question }, call.bytes);
    call.signal.addEventListener("abort", () => this.#settle(requestId, DISMISSED), { once: true });
    if (this.#host.refuses(question)) this.#settle(requestId, DISMISSED);
    else this.#host.begin(() => void this.#putToPolicy(requestId, question, settled.signal));
    return outcome;
  }

  /** @throws AcpError `state` for an option that was not offered; a question that is settled already is ignored */
  answer(requestId: string, decision: PermissionDecision): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    if ("cancel" in decision) return this.#settle(requestId, DISMISSED);
    if (!open.question.options.some(({ optionId }) => optionId === decision.select)) {
      throw new AcpError("state", `The question ${requestId} does not offer ${decision.select}.`);
    }
    this.#settle(requestId, { outcome: "selected", optionId: decision.select });
  }

  /** Dismisses the questions that `concerned` picks. */
  dismiss(concerned: (question: PermissionQuestion) => boolean): void {
    for (const [requestId, { question }] of [...this.#open]) {
      if (concerned(question)) this.#settle(requestId, DISMISSED);
    }
  }

  /** The state changes now; the answer leaves a little later. */
  #settle(requestId: string, outcome: PermissionOutcome): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    this.#open.delete(requestId);
    this.#host.tell({ type: "permission_answered", requestId, outcome }, 0);
    open.settled.abort();
    open.resolve(outcome);
  }

  async #putToPolicy(requestId: string, question: PermissionQuestion, settled: AbortSignal): Promise<void> {
    const { policy, session } = this.#host;
    if (settled.aborted) return;
    try {
      const decision = await policy?.({ ...question, requestId, session }, settled);
      if (decision !== undefined) this.answer(requestId, decision);
      else if (!session.state.pendingPermissions.some((shown) => shown.requestId === requestId))
        this.#giveUp(requestId);
    } catch (error) {
      this.#settle(requestId, DISMISSED);
      const message = "The permission policy failed; the question was cancelled.";
      this.#host.report({ code: "listener_failed", message, sessionId: session.id, error });
    }
  }

  /** Nobody can see it, so nobody could ever answer it. */
  #giveUp(requestId: string): void {
    if (!this.#open.has(requestId)) return;
    this.#settle(requestId, DISMISSED);
    const message = "A permission question was dismissed: the state cannot hold it beside the others.";
    this.#host.report({ code: "dropped", message, sessionId: this.#host.session.id });
  }
}
