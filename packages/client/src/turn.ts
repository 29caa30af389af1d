import type { ErrorObject, SessionEvent, StopReason } from "@turnkit/session";

/** How a turn ended. */
export type TurnEnd = {
  readonly stopReason?: StopReason;
  /** With stop reason `error`: what the agent said. */
  readonly error?: ErrorObject;
  /** Whether the agent itself said so. */
  readonly confirmed: boolean;
};

/**
 * One prompt being answered, from this side. Iterating it yields what happens in its session until it ends, each event
 * once the loop is done with the one before: the loop's pace is the connection's. Leaving the loop detaches and does not
 * cancel. A turn that nobody iterates buffers nothing; begin in the tick of `prompt` to see everything.
 */
export interface Turn extends AsyncIterable<SessionEvent> {
  /** Names the prompt in events. */
  readonly promptId: string;
  /** The agent took the prompt. In version 1 that is its first sign of life, or the end. */
  readonly accepted: Promise<void>;
  /**
   * Settles when every listener call of the turn has finished. An error answer of the agent is an end with stop reason
   * `error`; a lost connection rejects with `ConnectionClosedError`. Never causes an unhandled rejection.
   */
  readonly ended: Promise<TurnEnd>;
  /** Cancels this session's turn, answers its open questions, and waits for the end. */
  cancel(): Promise<TurnEnd>;
}

/** Hands the events of a session to one `for await`, at the loop's pace. */
export class EventIterator implements AsyncIterator<SessionEvent, undefined> {
  readonly #detach: () => void;
  #event: { readonly event: SessionEvent; readonly taken: () => void } | undefined;
  #waiting: ((result: IteratorResult<SessionEvent, undefined>) => void) | undefined;
  #finishLoopBody: (() => void) | undefined;
  #over = false;

  constructor(detach: () => void) {
    this.#detach = detach;
  }

  /** Settles when the loop asks for the event after this one: it is a listener. */
  offer(event: SessionEvent): Promise<void> | undefined {
    if (this.#over) return undefined;
    return new Promise((taken) => {
      if (this.#waiting === undefined) {
        this.#event = { event, taken };
      } else {
        const deliver = this.#waiting;
        this.#waiting = undefined;
        this.#finishLoopBody = taken;
        deliver({ value: event, done: false });
      }
    });
  }

  next(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.#finishLoopBody?.();
    this.#finishLoopBody = undefined;
    if (this.#event !== undefined) {
      const { event, taken } = this.#event;
      this.#event = undefined;
      this.#finishLoopBody = taken;
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#over) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<SessionEvent, undefined>> {
    this.finish();
    this.#finishLoopBody?.();
    this.#event?.taken();
    this.#event = undefined;
    return Promise.resolve({ value: undefined, done: true });
  }

  /** No more events follow. */
  finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#detach();
    this.#waiting?.({ value: undefined, done: true });
    this.#waiting = undefined;
  }
}

/** {@link Turn} as a session makes it; the driver of the dialect tells it what happens. */
export class LiveTurn implements Turn {
  readonly promptId: string;
  readonly accepted: Promise<void>;
  readonly ended: Promise<TurnEnd>;
  /** Settles at receipt of the end, before listeners heard of it. */
  readonly received: Promise<void>;
  readonly #host: TurnHost;
  #accept!: () => void;
  #receive!: () => void;
  #end!: (end: TurnEnd | Promise<TurnEnd>) => void;
  #isOver = false;

  constructor(promptId: string, host: TurnHost) {
    this.promptId = promptId;
    this.#host = host;
    this.accepted = new Promise((resolve) => {
      this.#accept = resolve;
    });
    this.received = new Promise((resolve) => {
      this.#receive = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.ended.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The agent showed that it took the prompt. */
  accept(): void {
    this.#accept();
  }

  /** The end was received, or the turn was lost with `failure`; listeners first hear what came before. */
  finish(outcome: TurnEnd | { readonly failure: unknown }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#accept();
    this.#receive();
    const told = this.#host.listenersTold(this);
    this.#end(
      told.then(() => {
        if ("failure" in outcome) throw outcome.failure;
        return outcome;
      }),
    );
  }

  async cancel(): Promise<TurnEnd> {
    if (!this.#isOver) this.#host.cancel(this);
    return this.ended;
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, undefined> {
    return this.#host.iterate(this);
  }
}

/** What a turn needs of its session. */
export type TurnHost = {
  cancel(turn: LiveTurn): void;
  iterate(turn: LiveTurn): AsyncIterator<SessionEvent, undefined>;
  /** Settles when listeners have finished with everything received so far. */
  listenersTold(turn: LiveTurn): Promise<void>;
};
