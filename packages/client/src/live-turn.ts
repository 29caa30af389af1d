import type { SessionEvent } from "@turnkit/session";
import { MAX_TIMER_MS } from "@turnkit/transport";
import type { PromptMessage } from "./driver/driver.js";
import { EventIterator } from "./event-iterator.js";
import type { Listener } from "./session-observers.js";
import type { Turn, TurnEnd } from "./turn.js";

/** What a turn needs of its session. */
export interface TurnHost {
  cancelTurn(turn: LiveTurn): void;
  listen(listener: Listener): () => void;
  /** Notes that the agent has to bring an end; returns the function that says that it came. */
  expectEnd(): () => void;
  /** Runs `work` when listeners were told everything received so far. */
  whenTold(work: () => void): void;
  /** The present moment of the session's lane. */
  now(): number;
  /**
   * Runs `work` when listeners that began at the moment `after` or later have finished with everything received so far;
   * where they have, at once.
   */
  whenDone(work: () => void, after?: number): void;
  /** The end was received. */
  turnOver(turn: LiveTurn): void;
}

/** What a turn came to, or why it is not known. */
export type TurnOutcome = TurnEnd | { readonly failure: unknown };

/** {@link Turn} as a session makes it; the driver of the dialect tells it what happens. */
export class LiveTurn implements Turn {
  readonly promptId: string;
  /** What is sent for it. */
  readonly message: PromptMessage;
  readonly ended: Promise<TurnEnd>;
  /** Work that the prompt did not begin goes on since before it was sent. */
  isBehind = false;
  readonly #host: TurnHost;
  #accepted: Promise<void> | undefined;
  #accept: (() => void) | undefined;
  #end!: (end: TurnEnd | Promise<never>) => void;
  /** Loops, each with how it is detached; most turns have none. */
  #iterators: Map<EventIterator, () => void> | undefined;
  #phase: "waiting" | "sent" | "over" = "waiting";
  #isAccepted = false;
  readonly #endCame: () => void;
  /** Listeners that began before this moment are not part of the turn. */
  #sentAt = 0;
  #grace: ReturnType<typeof setTimeout> | undefined;

  constructor(promptId: string, message: PromptMessage, host: TurnHost) {
    this.promptId = promptId;
    this.message = message;
    this.#host = host;
    this.#endCame = host.expectEnd();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get accepted(): Promise<void> {
    this.#accepted ??= this.#isAccepted
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#accept = resolve;
        });
    return this.#accepted;
  }

  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  get isOver(): boolean {
    return this.#phase === "over";
  }

  /** The prompt is on its way: from here on loops are told what happens. */
  sent(): void {
    if (this.#phase !== "waiting") return;
    this.#phase = "sent";
    this.#sentAt = this.#host.now();
    for (const iterator of this.#iterators?.keys() ?? []) this.#attach(iterator);
  }

  /** The agent showed that it took the prompt. */
  accept(): void {
    this.#isAccepted = true;
    this.#accept?.();
  }

  /** The agent was told to end it: `giveUp` runs if it does not in time. Who is told again gets no more time. */
  giveGrace(graceMs: number, giveUp: (turn: LiveTurn) => void): void {
    if (graceMs > MAX_TIMER_MS || this.isOver) return;
    this.#grace ??= setTimeout(() => giveUp(this), graceMs);
  }

  /** The end was received, or the turn was lost; listeners first hear what came before. */
  finish(outcome: TurnOutcome): void {
    if (this.isOver) return;
    this.#phase = "over";
    this.#endCame();
    clearTimeout(this.#grace);
    this.accept();
    const iterators = [...(this.#iterators?.keys() ?? [])];
    if (iterators.length > 0) this.#host.whenTold(() => iterators.forEach((iterator) => void iterator.finish()));
    this.#host.whenDone(() => this.#settle(outcome), this.#sentAt);
    this.#host.turnOver(this);
  }

  /** `ended` itself: the promise of an `async` method would reject unseen where nobody waits for the end. */
  cancel(): Promise<TurnEnd> {
    if (!this.isOver) this.#host.cancelTurn(this);
    return this.ended;
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, undefined> {
    const iterator: EventIterator = new EventIterator(() => this.#detach(iterator));
    this.#iterators ??= new Map();
    if (this.#phase === "over") iterator.finish();
    else if (this.#phase === "sent") this.#attach(iterator);
    else this.#iterators.set(iterator, () => undefined);
    return iterator;
  }

  #settle(outcome: TurnOutcome): void {
    if (!("failure" in outcome)) return this.#end(outcome);
    // Nobody has to look.
    this.ended.catch(() => undefined);
    this.#end(Promise.reject(outcome.failure));
  }

  #attach(iterator: EventIterator): void {
    this.#iterators?.set(iterator, this.#host.listen(iterator));
  }

  #detach(iterator: EventIterator): void {
    this.#iterators?.get(iterator)?.();
    this.#iterators?.delete(iterator);
  }
}
