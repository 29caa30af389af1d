import type { ElicitationAnswer, Implementation, PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import { AcpError, type InboundCall } from "@turnkit/transport";
import type { Work } from "./driver/driver.js";
import type { Elicitations, SessionQuestion } from "./elicitations.js";
import { type PermissionDecision, type PermissionPolicy, permissionKind } from "./permissions.js";
import { QuestionDesk, type QuestionHost } from "./question-desk.js";

/** Who answers the questions of a session, and who asks them. */
export type Answering = {
  readonly policy: PermissionPolicy | undefined;
  readonly elicitations: Elicitations | undefined;
  readonly agent: Implementation;
};

/** All open questions of one session, of both kinds. */
export class SessionQuestions {
  readonly #permissions: QuestionDesk<PermissionQuestion, PermissionDecision, PermissionOutcome>;
  readonly #elicitations: QuestionDesk<SessionQuestion, ElicitationAnswer, ElicitationAnswer> | undefined;

  constructor({ policy, elicitations, agent }: Answering, host: QuestionHost) {
    this.#permissions = new QuestionDesk(permissionKind(policy, agent), host);
    this.#elicitations = elicitations && new QuestionDesk(elicitations.kind(agent), host);
  }

  ask(question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    return this.#permissions.ask(question, call);
  }

  elicit(question: SessionQuestion, call: InboundCall): Promise<ElicitationAnswer> {
    // Without elicitations none gets here.
    return this.#elicitations?.ask(question, call) ?? Promise.resolve({ action: "cancel" });
  }

  /** @throws AcpError `state` for a decision that the question does not allow, or one of the other kind */
  answer(requestId: string, decision: PermissionDecision | ElicitationAnswer): void {
    if (!("action" in decision)) this.#permissions.answer(requestId, decision);
    else if (this.#permissions.has(requestId)) {
      throw new AcpError("state", `The question ${requestId} takes one of its options, or a cancel.`);
    } else this.#elicitations?.answer(requestId, decision);
  }

  /** Dismisses the questions about work that `concerned` picks. */
  dismiss(concerned: (work: Work) => boolean): void {
    this.#permissions.dismiss(concerned);
    this.#elicitations?.dismiss(concerned);
  }
}
