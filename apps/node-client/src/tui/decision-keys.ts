import type { Key } from "./model/key.js";

/** Question on the screen, its first visible line, and the number of visible lines. */
export type ShownQuestion = { readonly requestId: string; readonly scrolled: number; readonly page: number };

/** Milliseconds without another key after which a single letter or digit answers a question. */
const PAUSE_MS = 200;

/**
 * Guard between the keyboard and questions. A key answers a question only if the question was on the screen before, and
 * if no other key follows at once. Otherwise the person was typing a prompt.
 */
export class DecisionKeys {
  #shown: ShownQuestion | undefined;
  #hasDrawn = false;
  /** Decision by a single key that is not confirmed yet. */
  #decision: { readonly key: Key; readonly timer: NodeJS.Timeout } | undefined;

  /** Question that the last frame has shown. */
  get shown(): ShownQuestion | undefined {
    return this.#shown;
  }

  /** Records the question that a frame has shown. */
  drawn(shown: ShownQuestion | undefined): void {
    this.#hasDrawn = true;
    this.#shown = shown;
  }

  /** Returns `true` if a question was not on the screen yet. */
  isUnseen(requestId: string | undefined): boolean {
    return this.#hasDrawn && requestId !== this.#shown?.requestId;
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
