import { RpcError } from "@turnkit/transport";

/**
 * Requests that wait for the end of one command. The promise of the end has one reaction, because it would keep a reaction
 * of each withdrawn request.
 */
export class ExitWaits<T> {
  readonly #exited: Promise<T>;
  /** Absent after the end of the command. */
  #waiting: Set<() => void> | undefined = new Set();

  constructor(exited: Promise<T>) {
    this.#exited = exited;
    const ended = (): void => {
      for (const settle of this.#waiting ?? []) settle();
      this.#waiting = undefined;
    };
    exited.then(ended, ended);
  }

  /** Waits for the end of the command. Rejects when the signal is aborted. */
  wait(signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = () => resolve(this.#exited);
      const withdrawn = () => {
        this.#waiting?.delete(settle);
        reject(RpcError.requestCancelled());
      };
      signal.addEventListener("abort", withdrawn, { once: true });
      if (this.#waiting === undefined) settle();
      else this.#waiting.add(settle);
    });
  }
}
