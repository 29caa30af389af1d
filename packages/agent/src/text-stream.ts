import type { Room } from "@turnkit/transport";

/** Way of the pieces of a stream. */
export type Saying = {
  write(piece: string): Room;
  /** Stops the stream, which then ends without an error. */
  readonly signal: AbortSignal;
};

/**
 * Stream of text that is being sent. It records the first use of `then`: the error of a stream fails the turn only if the
 * handler does not listen for it.
 */
export class TextStream extends Promise<void> {
  #isAwaited = false;
  #end: Promise<void> = Promise.resolve();

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of(stream: AsyncIterable<string>, saying: Saying): TextStream {
    const end = pipe(stream, saying);
    const said = new TextStream((resolve, reject) => end.then(resolve, reject));
    said.#end = end;
    // No unhandled rejection: the end of the turn asks for the error.
    Promise.prototype.then.call(said, undefined, () => undefined);
    return said;
  }

  /** Waits for the end. Rejects if the stream failed and the handler did not listen. */
  async drain(): Promise<void> {
    await this.#end.catch((error: unknown) => {
      if (!this.#isAwaited) throw error;
    });
  }

  /** Runs `work` at the end, unless the stream failed. */
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

async function pipe(stream: AsyncIterable<string>, { write, signal }: Saying): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  // One listener for all pieces. A race against one long-lived promise would grow with the stream.
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
    signal.removeEventListener("abort", onAbort);
    if (!ended) void letGo(iterator);
  }
}

/** Ends an iterator. Do not await it: a generator returns only after its current step. */
async function letGo(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The turn is over: a failed clean-up does not matter.
  }
}
