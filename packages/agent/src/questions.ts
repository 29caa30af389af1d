import type {
  ElicitationAnswer,
  ElicitationQuestion,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";
import { type PermissionAnswer, readAnswer } from "./permission.js";

/** Members of a session that its questions use. */
export type QuestionOwner = {
  readonly id: string;
  readonly output: { newId(what: string): string; record(event: SessionEvent): void };
};

/** Questions of a session to its client. None rejects: a failure is an answer that is no yes. */
export class Questions {
  readonly #session: QuestionOwner;
  readonly #driver: Driver;
  readonly #elicitations: Elicitations;

  constructor(session: QuestionOwner, driver: Driver) {
    this.#session = session;
    this.#driver = driver;
    this.#elicitations = new Elicitations(driver);
  }

  async askPermission(asked: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer> {
    const question = jsonCopy(asked);
    const requestId = this.#session.output.newId("ask");
    this.#session.output.record({ type: "permission_asked", requestId, ...question });
    let outcome: PermissionOutcome = { outcome: "cancelled" };
    try {
      outcome = await this.#driver.askPermission(this.#session.id, question, signal);
    } catch {
      // V1-PERM-07, V2-PERM-09: a failure allows nothing.
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
    const requestId = this.#session.output.newId("ask");
    const about = toolCallId === undefined ? {} : { toolCallId };
    this.#session.output.record({ type: "elicitation_asked", requestId, ...about, ...question });
    const scope = { sessionId: this.#session.id, ...about };
    const answer = await this.#elicitations.ask(question, scope, signal);
    this.#session.output.record({ type: "elicitation_answered", requestId, answer });
    return answer;
  }

  completeElicitation(elicitationId: string): void {
    if (!this.#elicitations.complete(elicitationId)) return;
    this.#session.output.record({ type: "elicitation_completed", elicitationId });
  }
}
