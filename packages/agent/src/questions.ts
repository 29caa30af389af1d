import type {
  ElicitationAnswer,
  ElicitationQuestion,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import type { Driver } from "./driver/driver.js";
import { Elicitations, isFault } from "./elicitations.js";
import { type PermissionAnswer, readAnswer } from "./permission.js";
import { questionMustFit } from "./update-size.js";

/** Members of a session that its questions use. */
export type QuestionOwner = {
  readonly id: string;
  readonly output: {
    newId(what: string): string;
    record(event: SessionEvent): void;
    readonly outbox: { makeWay(): void };
    onFault(message: string, error: unknown): void;
  };
};

/** Questions of a session to its client. None rejects: a failure is an answer that is no yes, and is reported. */
export class Questions {
  readonly #session: QuestionOwner;
  readonly #driver: Driver;
  readonly #elicitations: Elicitations;

  constructor(session: QuestionOwner, driver: Driver) {
    this.#session = session;
    this.#driver = driver;
    this.#elicitations = new Elicitations(driver, (error) => this.#failed("An elicitation", error));
  }

  async askPermission(asked: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer> {
    const question = jsonCopy(asked);
    if (!this.#fits("A permission question", question)) return { allowed: false };
    const requestId = this.#session.output.newId("ask");
    this.#session.output.record({ type: "permission_asked", requestId, ...question });
    this.#session.output.outbox.makeWay();
    let outcome: PermissionOutcome = { outcome: "cancelled" };
    try {
      outcome = await this.#driver.askPermission(this.#session.id, question, signal);
    } catch (error) {
      // V1-PERM-07, V2-PERM-09: a failure allows nothing.
      if (isFault(error, signal)) this.#failed("A permission question", error);
    }
    this.#session.output.record({ type: "permission_answered", requestId, outcome });
    return readAnswer(question, outcome);
  }

  /** @throws AcpError for a question that this client cannot take */
  check(question: ElicitationQuestion): void {
    this.#elicitations.check(question);
  }

  async elicit(
    asked: ElicitationQuestion,
    { signal, toolCallId }: { readonly signal: AbortSignal; readonly toolCallId?: string },
  ): Promise<ElicitationAnswer> {
    const question = jsonCopy(asked);
    if (!this.#fits("An elicitation", question)) return { action: "cancel" };
    const requestId = this.#session.output.newId("ask");
    const about = toolCallId === undefined ? {} : { toolCallId };
    this.#session.output.record({ type: "elicitation_asked", requestId, ...about, ...question });
    this.#session.output.outbox.makeWay();
    const scope = { sessionId: this.#session.id, ...about };
    const answer = await this.#elicitations.ask(question, scope, signal);
    this.#session.output.record({ type: "elicitation_answered", requestId, answer });
    return answer;
  }

  completeElicitation(elicitationId: string): void {
    if (!this.#elicitations.complete(elicitationId)) return;
    this.#session.output.record({ type: "elicitation_completed", elicitationId });
  }

  /** Returns true if a question can be sent; reports it otherwise. */
  #fits(what: string, question: object): boolean {
    try {
      questionMustFit(question);
      return true;
    } catch (error) {
      this.#failed(what, error);
      return false;
    }
  }

  #failed(what: string, error: unknown): void {
    this.#session.output.onFault(`${what} failed, and counts as cancelled.`, error);
  }
}
