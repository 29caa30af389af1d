import type { ElicitationAnswer, SessionEvent } from "@turnkit/session";
import type { Diagnostic, InboundCall } from "@turnkit/transport";
import type { Work } from "./driver/driver.js";
import type { PermissionDecision } from "./permissions.js";
import type { Session } from "./session.js";

/** A session as its questions see it. */
export interface QuestionHost extends Session {
  tell(event: SessionEvent, bytes?: number): void;
  /** Starts a request handler in its place among what listeners are told. */
  startInPlace(work: () => void): void;
  /** Whether a question that comes now belongs to work that was cancelled already. */
  refuses(work: Work): boolean;
  report(diagnostic: Diagnostic): void;
}

/** What somebody decided about a question, of whichever kind. */
export type Decision = PermissionDecision | ElicitationAnswer;

/** One kind of question: how it shows in events and in the state, and who may answer it without a person. */
export interface QuestionKind<Q, A> {
  /** Names it for people; ids begin with it. */
  readonly name: string;
  /** How a question is settled that nobody answers. */
  readonly dismissed: A;
  asked(requestId: string, question: Q): SessionEvent;
  answered(requestId: string, answer: A): SessionEvent;
  isShown(session: Session, requestId: string): boolean;
  workOf(question: Q): Work;
  /** @throws AcpError `state` for a decision that the question does not allow, or one of another kind */
  answerOf(requestId: string, question: Q, decision: Decision): A;
  /** `undefined` leaves the question to a person. */
  decide(
    requestId: string,
    question: Q,
    session: Session,
    signal: AbortSignal,
  ): Decision | undefined | PromiseLike<Decision | undefined>;
}

/** A question of whichever kind, while it is open. */
type OpenQuestion = {
  readonly work: Work;
  readonly answer: (decision: Decision) => void;
  readonly dismiss: () => void;
  readonly isShown: () => boolean;
  readonly decide: () => Decision | undefined | PromiseLike<Decision | undefined>;
};

/** The open questions of one session. The first decision counts; what comes later is dropped. */
export class PendingQuestions {
  readonly #host: QuestionHost;
  readonly #open = new Map<string, OpenQuestion>();
  #serial = 0;

  constructor(host: QuestionHost) {
    this.#host = host;
  }

  /** Shows a question at receipt and puts it to the handler in its place. Settles once and never rejects. */
  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A> {
    this.#serial += 1;
    const requestId = `${kind.name}-${this.#serial}`;
    const work = kind.workOf(question);
    const settled = new AbortController();
    return new Promise((resolve) => {
      // The state changes now; the answer leaves a little later.
      const settle = (answer: A) => {
        if (!this.#open.delete(requestId)) return;
        this.#host.tell(kind.answered(requestId, answer));
        // Who put the question to somebody learns what became of it.
        settled.abort(answer);
        resolve(answer);
      };
      const dismiss = () => settle(kind.dismissed);
      this.#open.set(requestId, {
        work,
        answer: (decision) => settle(kind.answerOf(requestId, question, decision)),
        dismiss,
        isShown: () => kind.isShown(this.#host, requestId),
        decide: () => kind.decide(requestId, question, this.#host, settled.signal),
      });
      this.#host.tell(kind.asked(requestId, question), call.bytes);
      call.signal.addEventListener("abort", dismiss, { once: true });
      if (this.#host.refuses(work)) dismiss();
      else this.#host.startInPlace(() => void this.#put(kind.name, requestId));
    });
  }

  /** @throws AcpError `state` for a decision that is not allowed; a question that is settled already is ignored */
  answer(requestId: string, decision: Decision): void {
    this.#open.get(requestId)?.answer(decision);
  }

  /** Dismisses the questions about work that `concerned` picks. */
  dismiss(concerned: (work: Work) => boolean): void {
    for (const { work, dismiss } of [...this.#open.values()]) {
      if (concerned(work)) dismiss();
    }
  }

  /** Puts a question to whoever decides its kind without a person. */
  async #put(name: string, requestId: string): Promise<void> {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    try {
      const decision = await open.decide();
      if (decision !== undefined) this.answer(requestId, decision);
      else if (this.#open.has(requestId) && !open.isShown()) {
        // Nobody can see it, so nobody could ever answer it.
        open.dismiss();
        const message = `A ${name} question was dismissed: the state cannot hold it beside the others.`;
        this.#host.report({ code: "dropped", message });
      }
    } catch (error) {
      open.dismiss();
      const message = `The ${name} policy failed; the question was cancelled.`;
      this.#host.report({ code: "listener_failed", message, error });
    }
  }
}
