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

/** What questions need of their session. */
export type QuestionOwner = {
  readonly id: string;
  newId(what: string): string;
  record(event: SessionEvent): void;
};

/** What a session asks its client. No question ever rejects: whoever fails to answer did not say yes. */
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
    const requestId = this.#session.newId("ask");
    this.#session.record({ type: "permission_asked", requestId, ...question });
    let outcome: PermissionOutcome = { outcome: "cancelled" };
    try {
      outcome = await this.#driver.askPermission(this.#session.id, question, signal);
    } catch {
      // A client that fails to answer did not say yes (V1-PERM-07, V2-PERM-09).
    }
    this.#session.record({ type: "permission_answered", requestId, outcome });
    return readAnswer(question, outcome);
  }

  /** @throws AcpError for a question that must not be asked of this client */
  check(question: ElicitationQuestion): void {
    this.#elicitations.check(question);
  }

  async elicit(
    asked: ElicitationQuestion,
    { signal, toolCallId }: { readonly signal: AbortSignal; readonly toolCallId?: string },
  ): Promise<ElicitationAnswer> {
    const question = jsonCopy(asked);
    const requestId = this.#session.newId("ask");
    const about = toolCallId === undefined ? {} : { toolCallId };
    this.#session.record({ type: "elicitation_asked", requestId, ...about, ...question });
    const scope = { sessionId: this.#session.id, ...about };
    const answer = await this.#elicitations.ask(question, scope, signal);
    this.#session.record({ type: "elicitation_answered", requestId, answer });
    return answer;
  }

  completeElicitation(elicitationId: string): void {
    if (!this.#elicitations.complete(elicitationId)) return;
    this.#session.record({ type: "elicitation_completed", elicitationId });
  }
}
