import type { SessionEvent } from "@turnkit/session";

type Result = IteratorResult<SessionEvent, undefined>;
type Offered = { readonly event: SessionEvent; readonly began: number; readonly done: () => void };

/** A listener at work on an event: when it has handled that, and since when what it waits for may have been asked. */
export type Handled = {
  readonly done: Promise<void>;
  readonly since: number;
  readonly by: { readonly name: string };
  readonly on: SessionEvent;
};

/**
 * Hands events to one `for await` at the loop's pace: an event counts as handled when the loop asks for the next one.
 * A lane offers more when it passes the loop's body (see `Connection.openLane`).
 */
export class EventIterator implements AsyncIterator<SessionEvent, undefined> {
  readonly name = "for await";
  readonly #detach: () => void;
  readonly #offered: Offered[] = [];
  readonly #asking: ((result: Result) => void)[] = [];
  /** The event that the loop's body is at work on. */
  #body: Offered | undefined;
  #over = false;

  /** @param detach called once, when no more events are wanted */
  constructor(detach: () => void) {
    this.#detach = detach;
  }

  /** It is a listener. @param began the moment of the lane at which the event is told */
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

  /** The loop was left: what it did not take is given up. */
  return(): Promise<Result> {
    this.finish();
    this.#finishBody();
    for (const { done } of this.#offered.splice(0)) done();
    this.#deliver();
    return Promise.resolve({ value: undefined, done: true });
  }

  /** No more events follow; the loop still gets those that it was offered. */
  finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#detach();
    this.#deliver();
  }

  #deliver(): void {
    while (this.#asking.length > 0) {
      const offered = this.#offered.shift();
      if (offered === undefined && !this.#over) return;
      const resolve = this.#asking.shift() as (result: Result) => void;
      this.#finishBody();
      this.#body = offered;
      resolve(offered === undefined ? { value: undefined, done: true } : { value: offered.event, done: false });
    }
  }

  #finishBody(): void {
    const body = this.#body;
    this.#body = undefined;
    body?.done();
  }
}
