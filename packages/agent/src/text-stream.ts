import type { MessageRole } from "@turnkit/session";
import type { Room } from "@turnkit/transport";

/** Functions that send the pieces of a stream. */
export type Saying = {
  readonly role: MessageRole;
  write(piece: string): Room;
  /** Signal that stops the stream. The stream then ends without an error. */
  readonly signal: AbortSignal;
};

/**
 * Promise of a stream of text that is being sent. The promise records the first use of `then`. If a handler used `then`,
 * that handler gets the stream's error; otherwise the error fails the turn.
 */
export class TextStream extends Promise<void> {
  #isAwaited = false;
  #end: Promise<void> = Promise.resolve();
  /** False once the last piece was sent, or the stream failed. */
  isOpen = true;
  role: MessageRole = "agent";

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of(stream: AsyncIterable<string>, saying: Saying): TextStream {
    let isOpen = true;
    const done = (): void => {
      isOpen = false;
      if (said !== undefined) said.isOpen = false;
    };
    let said: TextStream | undefined;
    const end = pipe(stream, saying, done);
    said = new TextStream((resolve, reject) => end.then(resolve, reject));
    said.#end = end;
    said.isOpen = isOpen;
    said.role = saying.role;
    // Prevents an unhandled rejection. `drain` reports the error at the end of the turn.
    Promise.prototype.then.call(said, undefined, () => undefined);
    return said;
  }

  /** Waits for the end of the stream. Rejects if the stream failed and no handler used `then`. */
  async drain(): Promise<void> {
    await this.#end.catch((error: unknown) => {
      if (!this.#isAwaited) throw error;
    });
  }

  /** Runs `work` after the stream has ended without an error. */
  whenWell(work: () => void): void {
    this.#end.then(work, () => undefined);
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise.
  override then<T = void, E = never>(
    onEnd?: ((value: void) => T | PromiseLike<T>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    this.#isAwaited = true;
    return super.then(onEnd, onError);
  }
}

async function pipe(stream: AsyncIterable<string>, { write, signal }: Saying, done: () => void): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  // One listener for all pieces. Races against one promise would add a listener for each piece.
  let stop = (): void => {};
  const onAbort = (): void => stop();
  const unlessStopped = <T>(coming: T | PromiseLike<T>): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      stop = () => resolve(undefined);
      if (signal.aborted) stop();
      Promise.resolve(coming).then(resolve, reject);
    });
  signal.addEventListener("abort", onAbort);
  let ended = false;
  try {
    while (!signal.aborted) {
      ended = true; // `return` is not called on an iterator that throws.
      const next = await unlessStopped(iterator.next());
      ended = next?.done === true;
      if (next === undefined || next.done || signal.aborted) return;
      const room = write(next.value);
      if (room !== undefined) await unlessStopped(room);
    }
  } finally {
    done();
    signal.removeEventListener("abort", onAbort);
    if (!ended) void letGo(iterator);
  }
}

/** Ends an iterator. Do not await the result, because a generator returns only after its current step. */
async function letGo(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The turn has ended, so a failed clean-up has no effect.
  }
}
