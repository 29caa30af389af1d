import type { Key } from "./model/key.js";

/** Question on the screen, its first visible line, and the number of visible lines. */
export type ShownQuestion = {
  readonly requestId: string;
  readonly scrolled: number;
  readonly page: number;
  /** Everything that the person decides by. */
  readonly content?: string;
};

/** Milliseconds without another key after which a single letter or digit answers a question. */
const PAUSE_MS = 200;
/** Milliseconds in which a question that has replaced another one, or whose content has changed, takes no key. */
const READING_MS = 400;

/**
 * Guard between the keyboard and questions. A key answers a question only if no other key follows at once, and if the
 * question was on the screen before. If another question or other content was in its place, it needs a moment there.
 * Otherwise the person was typing a prompt, or answered what was there before.
 */
export class DecisionKeys {
  readonly #now: () => number;
  #shown: ShownQuestion | undefined;
  /** Last question on the screen that the person has not left, and when it went from the screen. */
  #last: { readonly question: ShownQuestion; readonly until: number } | undefined;
  /** Time before which no key counts. */
  #readAt = Number.NEGATIVE_INFINITY;
  #hasDrawn = false;
  /** Decision by a single key that is not confirmed yet. */
  #decision: { readonly key: Key; readonly timer: NodeJS.Timeout } | undefined;

  constructor(now: () => number = performance.now.bind(performance)) {
    this.#now = now;
  }

  /** Question that the last frame has shown. */
  get shown(): ShownQuestion | undefined {
    return this.#shown;
  }

  /** Records the question that a frame has shown. */
  drawn(shown: ShownQuestion | undefined): void {
    const now = this.#now();
    if (this.#shown !== undefined && this.#last !== undefined) this.#last = { question: this.#shown, until: now };
    if (shown !== undefined) {
      const { question, until = 0 } = this.#last ?? {};
      const isOther = question?.requestId !== shown.requestId || question.content !== shown.content;
      if (question !== undefined && isOther && now - until < READING_MS) {
        this.#readAt = now + READING_MS;
        this.interrupt();
      }
      this.#last = { question: shown, until: now };
    }
    this.#hasDrawn = true;
    this.#shown = shown;
  }

  /** Records that the person has answered the question on the screen, or has gone to another one. */
  left(): void {
    this.#last = undefined;
  }

  /** Returns `true` if a question was not on the screen yet, or not long enough. */
  isUnseen(requestId: string | undefined): boolean {
    return this.#hasDrawn && (requestId !== this.#shown?.requestId || this.#now() < this.#readAt);
  }

  /** Calls `confirm` after a pause, unless another key follows. */
  decide(key: Key, confirm: () => void): void {
    this.#decision = { key, timer: setTimeout(confirm, PAUSE_MS) };
  }

  /** Drops a decision that is not confirmed yet. Returns its key if `next` shows that the person types a prompt. */
  interrupt(next?: Key): Key | undefined {
    const decision = this.#decision;
    clearTimeout(decision?.timer);
    this.#decision = undefined;
    return next?.name === "text" ? decision?.key : undefined;
  }
}
