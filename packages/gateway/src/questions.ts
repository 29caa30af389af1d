import type { Attachment } from "./attachment.js";
import type { QuestionNote } from "./between-gateways.js";
import { type Asked, OpenQuestion, type QuestionsParts } from "./open-question.js";

/**
 * Open questions of the agent. Each question goes to the attachments that have the right and the capability to answer
 * it.
 */
// SHARE-05
export class Questions {
  readonly #parts: QuestionsParts;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  asked(event: Asked, sessionId: string): void {
    const question = new OpenQuestion({ sessionId, event }, this.#parts);
    this.#open.set(event.requestId, question);
    for (const attachment of this.#parts.attachments()) question.ask(attachment);
    question.wait();
  }

  /** Withdraws a question that was answered or cancelled. */
  settled(requestId: string): void {
    this.#open.get(requestId)?.settle();
    this.#open.delete(requestId);
  }

  /** Sends all open questions to a new attachment. */
  attached(attachment: Attachment): void {
    for (const question of this.#open.values()) question.ask(attachment);
  }

  detached(attachment: Attachment): void {
    for (const question of this.#open.values()) question.left(attachment);
  }

  /** Takes the report of another gateway about a question that it got. */
  noted(requestId: string, attachment: Attachment, note: QuestionNote): void {
    this.#open.get(requestId)?.noted(attachment, note);
  }

  /** Sends the completion of a task at a URL to the clients that accepted the URL. */
  completed(elicitationId: string): void {
    for (const { driver } of this.#parts.attachments()) {
      if (driver.client.capabilities.elicitation.url) driver.completeElicitation(elicitationId);
    }
  }

  close(): void {
    for (const requestId of [...this.#open.keys()]) this.settled(requestId);
  }
}
