import type { SessionEvent } from "@turnkit/session";
import type { Diagnostic, InboundCall } from "@turnkit/transport";
import type { Work } from "./driver/driver.js";
import type { Session } from "./session.js";

/** What the questions of a session need of it. */
export type QuestionHost = {
  readonly session: Session;
  tell(event: SessionEvent, bytes: number): void;
  /** Runs `work` in its place among what listeners are told. */
  begin(work: () => void): void;
  /** Whether a question that comes now belongs to work that was cancelled already. */
  refuses(work: Work): boolean;
  report(diagnostic: Diagnostic): void;
};

/** One kind of question: how it shows in events and in the state, and who may answer it without a person. */
export interface QuestionKind<Q, D, A> {
  /** Names it for people; ids begin with it. */
  readonly name: string;
  /** How a question is settled that nobody answers. */
  readonly dismissed: A;
  asked(requestId: string, question: Q): SessionEvent;
  answered(requestId: string, answer: A): SessionEvent;
  isShown(session: Session, requestId: string): boolean;
  workOf(question: Q): Work;
  /** @throws AcpError `state` for a decision that the question does not allow */
  answerOf(requestId: string, question: Q, decision: D): A;
  /** `undefined` leaves the question to a person. */
  decide(
    requestId: string,
    question: Q,
    session: Session,
    signal: AbortSignal,
  ): D | undefined | PromiseLike<D | undefined>;
}

type Open<Q, A> = {
  readonly question: Q;
  readonly settled: AbortController;
  readonly resolve: (answer: A) => void;
};

/** The open questions of one kind in one session. The first decision counts; what comes later is dropped. */
export class QuestionDesk<Q, D, A> {
  readonly #kind: QuestionKind<Q, D, A>;
  readonly #host: QuestionHost;
  readonly #open = new Map<string, Open<Q, A>>();
  #serial = 0;

  constructor(kind: QuestionKind<Q, D, A>, host: QuestionHost) {
    this.#kind = kind;
    this.#host = host;
  }

  /** Shows a question at receipt and puts it to the handler in its place. Settles once and never rejects. */
  ask(question: Q, call: InboundCall): Promise<A> {
    this.#serial += 1;
    const requestId = `${this.#kind.name}-${this.#serial}`;
    const settled = new AbortController();
    const answer = new Promise<A>((resolve) => {
      this.#open.set(requestId, { question, settled, resolve });
    });
    this.#host.tell(this.#kind.asked(requestId, question), call.bytes);
    call.signal.addEventListener("abort", () => this.#settle(requestId, this.#kind.dismissed), { once: true });
    if (this.#host.refuses(this.#kind.workOf(question))) this.#settle(requestId, this.#kind.dismissed);
    else this.#host.begin(() => void this.#decide(requestId, question, settled.signal));
    return answer;
  }

  has(requestId: string): boolean {
    return this.#open.has(requestId);
  }

  /** @throws AcpError `state` for a decision that is not allowed; a question that is settled already is ignored */
  answer(requestId: string, decision: D): void {
    const open = this.#open.get(requestId);
    if (open !== undefined) this.#settle(requestId, this.#kind.answerOf(requestId, open.question, decision));
  }

  /** Dismisses the questions about work that `concerned` picks. */
  dismiss(concerned: (work: Work) => boolean): void {
    for (const [requestId, { question }] of [...this.#open]) {
      if (concerned(this.#kind.workOf(question))) this.#settle(requestId, this.#kind.dismissed);
    }
  }

  /** The state changes now; the answer leaves a little later. */
  #settle(requestId: string, answer: A): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    this.#open.delete(requestId);
    this.#host.tell(this.#kind.answered(requestId, answer), 0);
    // Who put the question to somebody learns what became of it.
    open.settled.abort(answer);
    open.resolve(answer);
  }

  async #decide(requestId: string, question: Q, settled: AbortSignal): Promise<void> {
    const { session } = this.#host;
    if (settled.aborted) return;
    try {
      const decision = await this.#kind.decide(requestId, question, session, settled);
      if (decision !== undefined) this.answer(requestId, decision);
      else if (!this.#kind.isShown(session, requestId)) this.#giveUp(requestId);
    } catch (error) {
      this.#settle(requestId, this.#kind.dismissed);
      const message = `The ${this.#kind.name} policy failed; the question was cancelled.`;
      this.#host.report({ code: "listener_failed", message, sessionId: session.id, error });
    }
  }

  /** Nobody can see it, so nobody could ever answer it. */
  #giveUp(requestId: string): void {
    if (!this.#open.has(requestId)) return;
    this.#settle(requestId, this.#kind.dismissed);
    const message = `A ${this.#kind.name} question was dismissed: the state cannot hold it beside the others.`;
    this.#host.report({ code: "dropped", message, sessionId: this.#host.session.id });
  }
}
