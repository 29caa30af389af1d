import type { ElicitationAnswer, SessionEvent } from "@turnkit/session";
import { AcpError, checkArgument, type InboundCall, textOf } from "@turnkit/transport";
import type { PermissionDecision, Session } from "./session.js";
import { type SessionFeed, STUCK_AFTER_MS } from "./session-feed.js";

/** Tool call or terminal to which a question belongs, if the agent names one. */
export type Work = { readonly toolCallId?: string | null; readonly terminalId?: string | null };

/** Answer to a permission question or an elicitation. */
export type Decision = PermissionDecision | ElicitationAnswer;

type MaybeDecision = Decision | "wait" | undefined | PromiseLike<Decision | "wait" | undefined>;

/** Kind of question: its events, its place in the state, and its handler. */
export interface QuestionKind<Q, A> {
  /** Name of the kind in error messages, and prefix of ids. */
  readonly name: keyof typeof NOTHING;
  /** Answer to a question that was dismissed. */
  readonly dismissed: A;
  asked(requestId: string, question: Q): SessionEvent;
  answered(requestId: string, answer: A): SessionEvent;
  isShown(session: Session, requestId: string): boolean;
  workOf(question: Q): Work;
  /** @throws AcpError `state` for a decision of another kind, and for a decision that the question does not allow */
  answerOf(requestId: string, question: Q, decision: Decision): A;
  /** Asks the handler. If the result is `"wait"` or `undefined`, the question waits in the state. */
  decide(requestId: string, question: Q, session: Session, signal: AbortSignal): MaybeDecision;
}

/** Open question of either kind. */
type OpenQuestion = {
  readonly work: Work;
  /** Returns the session that shows the question now. Sessions that showed the question earlier still accept its id. */
  readonly place: () => PendingQuestions | undefined;
  readonly show: (questions: PendingQuestions, bytes: number) => void;
  readonly answer: (decision: Decision) => void;
  readonly dismiss: () => void;
};

/** Parts of the open questions of a session. */
export type PendingQuestionsParts = {
  readonly session: Session;
  readonly feed: SessionFeed;
  /** Number of the session, unique on the connection. */
  readonly number: number;
  /** Returns true for work that is already cancelled. */
  readonly refuses: (work: Work) => boolean;
};

/** Reasons and remedies for a handler that returned nothing, by kind of question. */
export const NOTHING = {
  permission:
    'the permission policy returned undefined. Return a decision such as allowOnce(question). If your interface calls session.answer, return "wait".',
  elicitation:
    'the elicitation handler returned undefined. Return an answer such as { action: "cancel" }. If your interface calls session.answer, return "wait".',
};

/** Open questions of one session. The first decision settles a question. Later decisions are ignored. */
export class PendingQuestions {
  readonly #parts: PendingQuestionsParts;
  readonly #open = new Map<string, OpenQuestion>();
  /**
   * Source of ids of questions, which are unique on the connection. A session that replaces this one continues with it.
   */
  #ids: { readonly session: number; last: number };
  /** True once a prompt was sent to the session while a handler was being called. */
  #prompted = false;

  constructor(parts: PendingQuestionsParts) {
    this.#parts = parts;
    this.#ids = { session: parts.number, last: 0 };
  }

  /** Records a prompt to the session. */
  prompted(): void {
    this.#prompted = true;
  }

  /** Adds a question to the state at its receipt, then calls its handler in the lane. Settles once and never rejects. */
  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A> {
    const { feed, refuses } = this.#parts;
    const work = kind.workOf(question);
    this.#ids.last += 1;
    const requestId = `${kind.name}-${this.#ids.session}-${this.#ids.last}`;
    const settled = new AbortController();
    return new Promise((resolve) => {
      /** Sessions that showed the question, the current one last. Empty after the question is settled. */
      const shownIn: PendingQuestions[] = [];
      const place = () => shownIn.at(-1);
      // The state changes before the answer is sent.
      const settle = (answer: A) => {
        const shown = place();
        if (shown === undefined) return;
        for (const questions of shownIn.splice(0)) questions.#open.delete(requestId);
        shown.#parts.feed.publish(kind.answered(requestId, answer));
        // The handler gets the answer as the reason of its signal.
        settled.abort(answer);
        resolve(answer);
      };
      const dismiss = () => settle(kind.dismissed);
      const answer = (decision: Decision) => {
        if (place() !== undefined) settle(kind.answerOf(requestId, question, decision));
      };
      const show = (questions: PendingQuestions, bytes: number) => {
        shownIn.push(questions);
        questions.#open.set(requestId, { work, place, show, answer, dismiss });
        questions.#parts.feed.publish(kind.asked(requestId, question), bytes);
      };
      const decide = async (present: PendingQuestions) => {
        const { session } = present.#parts;
        try {
          const decision = await present.#unlessStuck(
            () => kind.decide(requestId, question, session, settled.signal),
            kind.name,
          );
          if (decision !== undefined && decision !== "wait") {
            const isDecision = typeof decision === "object" && decision !== null;
            const remedy = 'return an object such as allowOnce(question), or "wait"';
            checkArgument(isDecision, `${kind.name} decision`, { got: decision, remedy });
            return answer(decision);
          }
          const isShown = shownIn.some((one) => kind.isShown(one.#parts.session, requestId));
          const isForgotten = decision === undefined && place() !== undefined;
          if (isForgotten) {
            const why = `A question waits for session.answer, because ${NOTHING[kind.name]}`;
            feed.report({ code: "unanswered", message: why });
          }
          if (place() === undefined || isShown) return;
          // A question that the state cannot show could never be answered.
          dismiss();
          const message = `A ${kind.name} question was dismissed: the state cannot hold it beside the others.`;
          feed.report({ code: "dropped", message });
        } catch (error) {
          dismiss();
          const message = `The ${kind.name} policy failed, and the question was cancelled: ${textOf(error)}`;
          feed.report({ code: "listener_failed", message, error });
        }
      };
      show(this, call.bytes);
      call.signal.addEventListener("abort", dismiss, { once: true });
      if (refuses(work)) return dismiss();
      feed.lane.begin(0, () => {
        const shown = place();
        if (shown !== undefined) void decide(shown);
      });
    });
  }

  /**
   * Settles a question. Does nothing if the question is already settled.
   *
   * @throws AcpError `state` for an id that no question of this session had, and for a decision that the question does not
   *   allow
   */
  answer(requestId: string, decision: Decision): void {
    const question = this.#open.get(requestId);
    if (question === undefined && !this.#hadQuestion(requestId)) {
      const remedy = "Pass the requestId of a question in state.pendingPermissions or state.pendingElicitations";
      throw new AcpError("state", `No question of this session had the id ${JSON.stringify(requestId)}. ${remedy}.`);
    }
    question?.answer(decision);
  }

  /**
   * Reports a handler that runs for 5 s after it sent a prompt to its own session. The prompt waits for the turn, and the turn
   * waits for the answer.
   */
  async #unlessStuck<D>(decide: () => D | PromiseLike<D>, name: string): Promise<D> {
    const { feed } = this.#parts;
    this.#prompted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const decision = decide();
      if (this.#prompted) {
        const message = `The ${name} handler of session ${feed.sessionId} has sent a prompt to this session and still runs after 5 s. The prompt waits for the answer to the question. Do not await the prompt inside the handler.`;
        timer = setTimeout(() => feed.report({ code: "listener_stuck", message }), STUCK_AFTER_MS);
      }
      return await decision;
    } finally {
      clearTimeout(timer);
    }
  }

  #hadQuestion(requestId: string): boolean {
    const [, session, number] = /^(?:permission|elicitation)-(\d+)-(\d+)$/.exec(requestId) ?? [];
    return Number(session) === this.#ids.session && Number(number) <= this.#ids.last;
  }

  /** Dismisses the questions for whose work `concerned` returns true. */
  dismiss(concerned: (work: Work) => boolean): void {
    for (const { work, dismiss } of this.#shown) {
      if (concerned(work)) dismiss();
    }
  }

  /** Moves the open questions to the session that replaces this one. Both sessions accept answers to their ids. */
  moveTo(successor: PendingQuestions): void {
    successor.#ids = this.#ids;
    for (const { show } of this.#shown) show(successor, 0);
  }

  /** Questions that this session shows, without questions that moved to another session. */
  get #shown(): readonly OpenQuestion[] {
    return [...this.#open.values()].filter(({ place }) => place() === this);
  }
}
