import type { Room } from "@turnkit/transport";

/** How a stream is said. */
export type Saying = {
  write(piece: string): Room;
  /** Stops the saying; it ends well then. */
  readonly signal: AbortSignal;
};

/**
 * A stream that is being said. It knows whether anybody listens, so that an error which the handler takes care of does
 * not fail the turn, and one that nobody hears does.
 */
export class TextStream extends Promise<void> {
  #heard = false;
  #end: Promise<void> = Promise.resolve();

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of(stream: AsyncIterable<string>, saying: Saying): TextStream {
    const end = pipe(stream, saying);
    const said = new TextStream((resolve, reject) => end.then(resolve, reject));
    said.#end = end;
    // Silences an error that nobody hears until the turn's end asks for it.
    Promise.prototype.then.call(said, undefined, () => undefined);
    return said;
  }

  /** Waits for the end; fails as the stream failed, unless somebody else was told. */
  async drain(): Promise<void> {
    await this.#end.catch((error: unknown) => {
      if (!this.#heard) throw error;
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
    this.#heard = true;
    return super.then(onEnd, onError);
  }
}

async function pipe(stream: AsyncIterable<string>, { write, signal }: Saying): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  // One listener, and nothing that grows with the stream: a race against one long-lived promise would.
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
      ended = true; // An iterator that throws is not told to return.
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

/** Not waited for: a generator returns only after the step that it is in. */
async function letGo(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Its turn is over, whatever its clean-up says.
  }
}
