import type { SessionEvent } from "@turnkit/session";

type Result = IteratorResult<SessionEvent, undefined>;
type Offered = { readonly event: SessionEvent; readonly began: number; readonly done: () => void };

/**
 * Listener call in progress. `done` settles at its end. All requests of the call began after `since`, a moment of the
 * lane.
 */
export type Handled = {
  readonly done: Promise<void>;
  readonly since: number;
  readonly by: { readonly name: string };
  readonly on: SessionEvent;
};

/**
 * Yields events to one `for await` loop. An event counts as handled when the loop asks for the next event. A lane may offer
 * further events while the body of the loop still runs (see `Connection.openLane`).
 */
export class EventIterator implements AsyncIterator<SessionEvent, undefined> {
  readonly name = "for await";
  readonly #detach: () => void;
  readonly #offered: Offered[] = [];
  readonly #asking: ((result: Result | Promise<never>) => void)[] = [];
  /** Event that the body of the loop handles. */
  #body: Offered | undefined;
  #over = false;
  /** Error that the loop throws once, after the events that were offered. */
  #failure: { readonly error: unknown } | undefined;

  /** @param detach runs once, when the loop needs no more events */
  constructor(detach: () => void) {
    this.#detach = detach;
  }

  /** Offers an event to the loop. `began` is the moment of the lane. */
  receive(event: SessionEvent, began: number): Handled | undefined {
    if (this.#over) return undefined;
    const since = this.#body?.began ?? began;
    const done = new Promise<void>((resolve) => {
      this.#offered.push({ event, began, done: resolve });
      this.#deliver();
    });
    return { done, since, by: this, on: event };
  }

  next(): Promise<Result> {
    this.#finishBody();
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      this.#deliver();
    });
  }

  /** Ends the loop immediately. Events that the loop has not yielded are dropped. */
  return(): Promise<Result> {
    this.finish();
    this.#failure = undefined;
    this.#finishBody();
    for (const { done } of this.#offered.splice(0)) done();
    this.#deliver();
    return Promise.resolve({ value: undefined, done: true });
  }

  /** Ends the loop after the events that were already offered. With a `failure`, the loop then throws its error. */
  finish(failure?: { readonly error: unknown }): void {
    if (this.#over) return;
    this.#over = true;
    this.#failure = failure;
    this.#detach();
    this.#deliver();
  }

  #deliver(): void {
    while (this.#asking.length > 0) {
      const offered = this.#offered.shift();
      if (offered === undefined && !this.#over) return;
      const settle = this.#asking.shift();
      this.#finishBody();
      this.#body = offered;
      settle?.(offered === undefined ? this.#last() : { value: offered.event, done: false });
    }
  }

  /** Returns the result after the last event. */
  #last(): Result | Promise<never> {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure ? Promise.reject(failure.error) : { value: undefined, done: true };
  }

  #finishBody(): void {
    const body = this.#body;
    this.#body = undefined;
    body?.done();
  }
}
