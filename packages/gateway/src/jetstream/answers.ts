import { type Clock, isStoreFault, type Store } from "./store.js";

/** Parts of {@link Answers}. */
export type AnswersParts = {
  readonly clock: Clock;
  /** Time without an answer after which the servers count as silent, in milliseconds. */
  readonly patienceMs: number;
  /** Called with false when the servers fall silent, and with true when they answer again. */
  readonly changed: (answers: boolean) => void;
};

/**
 * Answers of the servers to requests that store data. Connected servers may not answer, for example if most of their
 * cluster is missing, or if a disk hangs.
 */
export class Answers {
  readonly #parts: AnswersParts;
  /** Start of the first request without an answer since the last answer. */
  #waitingSince: number | undefined;
  #isSilent = false;

  constructor(parts: AnswersParts) {
    this.#parts = parts;
  }

  /** Returns the same storage. Its answers are recorded here. */
  watch(store: Store): Store {
    const { subjects, owners } = store;
    return {
      ...store,
      subjects: { ...subjects, append: (...args) => this.#noted(() => subjects.append(...args)) },
      owners: { ...owners, put: (...args) => this.#noted(() => owners.put(...args)) },
    };
  }

  async #noted<T>(request: () => Promise<T>): Promise<T> {
    const since = this.#parts.clock.now();
    try {
      const result = await request();
      this.#answered();
      return result;
    } catch (error) {
      if (isStoreFault(error, "refused")) this.#answered();
      else if (!isStoreFault(error, "final")) this.#unanswered(since);
      throw error;
    }
  }

  #answered(): void {
    this.#waitingSince = undefined;
    this.#report(false);
  }

  #unanswered(since: number): void {
    const { clock, patienceMs } = this.#parts;
    this.#waitingSince ??= since;
    if (clock.now() - this.#waitingSince >= patienceMs) this.#report(true);
  }

  #report(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    this.#parts.changed(!isSilent);
  }
}
