import { insert } from "../cancel-first.js";
import type { Outgoing } from "../outbox.js";

/** A message in a lane, and the session that its header names. */
export type Posting = Outgoing & { readonly sessionId: string | undefined };

/** Messages of one session that are sent one after the other. Lanes do not wait for each other. */
export class Lane {
  /** Settles when no message waits. */
  idle: Promise<void> = Promise.resolve();
  readonly #waiting: Posting[] = [];
  #isBusy = false;
  readonly #post: (posting: Posting) => Promise<void>;

  /** Creates a lane. `post` sends one message, and never rejects. */
  constructor(post: (posting: Posting) => Promise<void>) {
    this.#post = post;
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  push(posting: Posting): void {
    insert(this.#waiting, posting);
    if (!this.#isBusy) this.idle = this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#post(next);
    this.#isBusy = false;
  }
}
