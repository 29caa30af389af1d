import { headerName } from "../../wire/headers.js";
import type { Backoff } from "../backoff.js";
import { Deadline } from "../deadline.js";
import { conflictReason, faultText, isPassing, type Refusal, type Requests, refusalText } from "./requests.js";
import { sessionHeader } from "./session-header.js";

/**
 * Sender of the POSTs of one connection. On a resumable connection every POST has a number, so that it can be sent
 * again after a cut: the server accepts each number once. POSTs with numbers are sent one after the other.
 */
// REM-49
export class Poster {
  readonly #requests: Requests;
  readonly #signal: AbortSignal;
  /** Bound of one POST, in milliseconds. */
  readonly #patienceMs: number;
  #backoff: Backoff | undefined;
  #number = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(requests: Requests, signal: AbortSignal, patienceMs: number) {
    this.#requests = requests;
    this.#signal = signal;
    this.#patienceMs = patienceMs;
  }

  /** Begins to number the POSTs, and to repeat them after a cut. */
  repeat(backoff: Backoff): void {
    this.#backoff = backoff;
  }

  /**
   * Sends a message. Returns `undefined` if the server accepted it, or the refusal.
   *
   * @throws Error if the message may not have arrived and cannot be repeated
   */
  async post(text: string, sessionId: string | undefined): Promise<Refusal | undefined> {
    const backoff = this.#backoff;
    if (backoff === undefined) return this.#once(text, sessionId);
    const posted = this.#last.then(() => this.#numbered(text, sessionId, backoff));
    this.#last = posted.catch(() => {});
    return posted;
  }

  async #numbered(text: string, sessionId: string | undefined, backoff: Backoff): Promise<Refusal | undefined> {
    this.#number += 1;
    for (let isBack = false; ; ) {
      let refusal: Refusal | undefined;
      let problem: string;
      try {
        refusal = await this.#once(text, sessionId, this.#number);
        if (refusal === undefined || !isPassing(refusal.status)) {
          // The previous message was refused, and its number was not used.
          const isGap = refusal?.status === 409 && conflictReason(refusal) === "message_gap";
          backoff.opened();
          backoff.progress();
          if (!isGap || isBack || this.#number === 1) return refusal;
          this.#number -= 1;
          isBack = true;
          continue;
        }
        problem = refusalText(refusal);
      } catch (cause) {
        problem = faultText(cause);
      }
      if (await backoff.next(`A message was not accepted: ${problem}.`, this.#signal)) continue;
      if (refusal !== undefined) return refusal;
      throw new Error(problem);
    }
  }

  async #once(text: string, sessionId: string | undefined, number?: number): Promise<Refusal | undefined> {
    const headers = { ...sessionHeader(sessionId), [headerName.messageNumber]: number?.toString() };
    const deadline = new Deadline(this.#signal, this.#patienceMs);
    try {
      const response = await this.#requests.post(text, headers, deadline.signal);
      if (!response.ok) return await this.#requests.refusal(response);
      response.body?.cancel().catch(() => {});
      return undefined;
    } finally {
      deadline.end();
    }
  }
}
