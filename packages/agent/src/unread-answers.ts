import { shortened } from "./cut-text.js";

/** Maximum length of a question in a report, in characters. */
const MAX_TITLE = 200;

/** Questions that were open at the same time. If one answer is read, all of them count as read. */
type Group = { readonly refused: string[]; isRead: boolean };

/** Promise that calls `onAwait` when something waits for it. */
class Awaited<T> extends Promise<T> {
  // Promises that `then` returns are ordinary ones.
  static override readonly [Symbol.species] = Promise;
  onAwait: (() => void) | undefined;

  // biome-ignore lint/suspicious/noThenProperty: this is a promise.
  override then<R = T, E = never>(
    onEnd?: ((value: T) => R | PromiseLike<R>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.onAwait?.();
    return super.then(onEnd, onError);
  }
}

/**
 * Questions of a turn that the handler has not awaited, and refusals that it has not read. A promise and an answer are
 * objects, so `if (turn.ask(…))` and `if (await turn.requestPermission(…))` are always true.
 */
export class UnreadAnswers {
  readonly #groups: Group[] = [];
  readonly #unawaited = new Set<{ readonly title: string; isReported(): boolean }>();
  #open = 0;

  /** Returns a promise with the result of `answer`. Records whether something waits for it. */
  watch<T>(title: string, answer: Promise<T>, isReported = () => false): Promise<T> {
    const promise = new Awaited<T>((resolve) => resolve(answer));
    const question = { title, isReported };
    this.#unawaited.add(question);
    promise.onAwait = () => void this.#unawaited.delete(question);
    return promise;
  }

  /** Asks. Records whether a refusal is read. */
  async ask<A extends object>(title: string, asking: () => Promise<A>, isRefusal: (answer: A) => boolean): Promise<A> {
    if (this.#open === 0) this.#groups.push({ refused: [], isRead: false });
    const group = this.#groups.at(-1) as Group;
    this.#open += 1;
    try {
      const answer = await asking();
      if (!isRefusal(answer)) return answer;
      group.refused.push(title);
      return watched(answer, () => {
        group.isRead = true;
      });
    } finally {
      this.#open -= 1;
    }
  }

  /** Returns the mistake in the use of a question that nobody awaited, or of the first refusal that was not read. */
  get mistake(): string | undefined {
    for (const { title, isReported } of this.#unawaited) {
      if (isReported()) continue;
      return `${named(title)} was asked without await, so its answer decided nothing. Await the question.`;
    }
    const title = this.#groups.find(({ isRead, refused }) => !isRead && refused.length > 0)?.refused[0];
    if (title === undefined) return undefined;
    return `${named(title)} was refused, and nobody read the answer, which is an object: read \`allowed\` or \`action\`, or use \`turn.ask\`.`;
  }
}

const named = (title: string): string => `The question ${JSON.stringify(shortened(title, MAX_TITLE))}`;

/** Returns a copy of an answer. `read` is called when a member is read, or when Node shows the answer. */
function watched<A extends object>(answer: A, read: () => void): A {
  const look = (): A => {
    read();
    return answer;
  };
  const copy = Object.defineProperty({}, Symbol.for("nodejs.util.inspect.custom"), { value: look });
  for (const name of Object.keys(answer) as (keyof A)[]) {
    Object.defineProperty(copy, name, { enumerable: true, get: () => look()[name] });
  }
  return copy as A;
}
