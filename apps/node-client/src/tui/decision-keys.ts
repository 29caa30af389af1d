import type { ToolCallEntry } from "@turnkit/session";
import type { Key } from "./model/key.js";

/** Question on the screen, its first visible line, and the number of visible lines. */
export type ShownQuestion = {
  readonly requestId: string;
  readonly scrolled: number;
  readonly page: number;
  /** Everything on which the decision of the person depends. */
  readonly content?: string;
  /** Tool call of the question, as the frame has shown it. */
  readonly toolCall?: ToolCallEntry | undefined;
};

type PresentQuestion = {
  readonly question: { readonly requestId: string };
  readonly toolCall?: ToolCallEntry | undefined;
};

/** Milliseconds without another key after which a single letter or digit answers a question. */
const PAUSE_MS = 200;
/**
 * Milliseconds in which a question takes no key after it has replaced another question, or after its content has
 * changed.
 */
const READING_MS = 400;

/**
 * Guard against accidental answers. A key answers a question only if no other key follows within {@link PAUSE_MS}, and
 * if the question was on the screen before the key. If the question replaced another question or other content, keys
 * count only after {@link READING_MS}. In all other cases, the person probably typed a prompt, or answered the earlier
 * question.
 */
export class DecisionKeys {
  readonly #now: () => number;
  readonly #changed: () => void;
  #shown: ShownQuestion | undefined;
  /**
   * Last question on the screen, and the time at which it was removed. Absent if the person has moved to another
   * question or to the prompt.
   */
  #last: { readonly question: ShownQuestion; readonly until: number } | undefined;
  /** Time before which no key counts. */
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: NodeJS.Timeout | undefined;
  #hasDrawn = false;
  /** Decision by a single key that is not confirmed yet. */
  #decision: { readonly key: Key; readonly timer: NodeJS.Timeout } | undefined;

  /** `changed` is called when keys count again. */
  constructor(changed: () => void, now: () => number = performance.now.bind(performance)) {
    this.#changed = changed;
    this.#now = now;
  }

  get shown(): ShownQuestion | undefined {
    return this.#shown;
  }

  drawn(shown: ShownQuestion | undefined): void {
    const now = this.#now();
    if (this.#shown !== undefined && this.#last !== undefined) this.#last = { question: this.#shown, until: now };
    if (shown !== undefined) {
      const { question, until = 0 } = this.#last ?? {};
      const isOther = question?.requestId !== shown.requestId || question.content !== shown.content;
      if (question !== undefined && isOther && now - until < READING_MS) {
        this.#readAt = now + READING_MS;
        clearTimeout(this.#reading);
        this.#reading = setTimeout(this.#changed, READING_MS);
        this.interrupt();
      }
      this.#last = { question: shown, until: now };
    }
    this.#hasDrawn = true;
    this.#shown = shown;
  }

  /** `true` while the question on the screen takes no keys, because it has replaced another one or has changed. */
  get isNew(): boolean {
    return this.#shown !== undefined && this.#now() < this.#readAt;
  }

  /** Records that the person has gone to another question, or to the prompt. */
  left(): void {
    this.#last = undefined;
  }

  /**
   * Returns `true` if a key must not answer the question. The screen has then shown the question only for a short time,
   * with another tool call, or not at all.
   */
  isUnseen(present: PresentQuestion | undefined): boolean {
    if (!this.#hasDrawn) return false;
    const isShown = present?.question.requestId === this.#shown?.requestId;
    return !isShown || this.isNew || isOther(present?.toolCall, this.#shown?.toolCall);
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

const MEMBERS = ["title", "kind", "rawInput", "locations", "content"] as const;

/** Returns `true` if an update has changed what a person reads of a call. Unchanged members keep their identity. */
function isOther(one: ToolCallEntry | undefined, other: ToolCallEntry | undefined): boolean {
  return MEMBERS.some((member) => one?.[member] !== other?.[member]);
}
