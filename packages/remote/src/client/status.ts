import type { RemoteState } from "./remote-options.js";

/** State of a connection that has several streams. It is connected when none of them is cut. */
export class Status {
  readonly #cut = new Set<object>();
  readonly #emit: (state: RemoteState) => void;

  constructor(emit: (state: RemoteState) => void) {
    this.#emit = emit;
  }

  /** `true` while a stream is cut. */
  get isCut(): boolean {
    return this.#cut.size > 0;
  }

  /** Publishes that `who` waits for its next attempt. */
  reconnecting(who: object, state: RemoteState): void {
    this.#cut.add(who);
    this.#emit(state);
  }

  /** Publishes `connected` if `who` was the last one that was cut. */
  restored(who: object): void {
    if (this.#cut.delete(who) && this.#cut.size === 0) this.connected();
  }

  connected(): void {
    this.#emit({ status: "connected" });
  }
}
