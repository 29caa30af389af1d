import type {
  ElicitationAnswer,
  ElicitationQuestion,
  PermissionOutcome,
  PermissionQuestion,
  SessionEvent,
} from "@turnkit/session";
import { CapabilityError } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";

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

  constructor(session: QuestionOwner, driver: Driver) {
    this.#session = session;
    this.#driver = driver;
  }

  async askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome> {
    const requestId = this.#session.newId("ask");
    this.#session.record({ type: "permission_asked", requestId, ...question });
    let outcome: PermissionOutcome = { outcome: "cancelled" };
    try {
      outcome = await this.#driver.askPermission(this.#session.id, question, signal);
    } catch {
      // A client that fails to answer did not say yes (V1-PERM-07, V2-PERM-09).
    }
    this.#session.record({ type: "permission_answered", requestId, outcome });
    return outcome;
  }

  /** @throws CapabilityError if the client does not take such questions */
  mustOffer({ mode }: ElicitationQuestion): void {
    const modes: Readonly<Record<string, boolean>> = this.#driver.client.capabilities.elicitation;
    if (modes[mode] === true) return;
    throw new CapabilityError(`The client takes no elicitation by ${mode}: look at its capabilities first.`);
  }

  async elicit(
    question: ElicitationQuestion,
    { signal, toolCallId }: { readonly signal: AbortSignal; readonly toolCallId?: string },
  ): Promise<ElicitationAnswer> {
    const requestId = this.#session.newId("ask");
    const about = toolCallId === undefined ? {} : { toolCallId };
    this.#session.record({ type: "elicitation_asked", requestId, ...about, ...question });
    let answer: ElicitationAnswer = { action: "cancel" };
    try {
      answer = await this.#driver.elicit({ ...question, scope: { sessionId: this.#session.id, ...about } }, signal);
    } catch {
      // As above.
    }
    this.#session.record({ type: "elicitation_answered", requestId, answer });
    return answer;
  }

  completeElicitation(elicitationId: string): void {
    this.#session.record({ type: "elicitation_completed", elicitationId });
    if (this.#driver.client.capabilities.elicitation.url) this.#driver.completeElicitation(elicitationId);
  }
}
