import type { SessionEvent } from "@turnkit/session";
import type { Listener } from "./audience.js";
import { EventIterator } from "./event-iterator.js";
import type { Turn, TurnEnd } from "./turn.js";

/** What a turn needs of its session. */
export type TurnHost = {
  cancel(turn: LiveTurn): void;
  listen(listener: Listener): () => void;
  /** Runs `work` when listeners were told everything received so far. */
  whenTold(work: () => void): void;
  /** Settles when listeners have finished with everything received so far. */
  listenersDone(): Promise<void>;
  /** The end was received. */
  over(turn: LiveTurn): void;
};

/** {@link Turn} as a session makes it; the driver of the dialect tells it what happens. */
export class LiveTurn implements Turn {
  readonly promptId: string;
  readonly accepted: Promise<void>;
  readonly ended: Promise<TurnEnd>;
  readonly #host: TurnHost;
  readonly #iterators = new Map<EventIterator, () => void>();
  #accept!: () => void;
  #end!: (end: Promise<TurnEnd>) => void;
  #phase: "waiting" | "sent" | "over" = "waiting";
  #isAccepted = false;

  constructor(promptId: string, host: TurnHost) {
    this.promptId = promptId;
    this.#host = host;
    this.accepted = new Promise((resolve) => {
      this.#accept = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.ended.catch(() => undefined);
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
    for (const iterator of this.#iterators.keys()) this.#attach(iterator);
  }

  /** The agent showed that it took the prompt. */
  accept(): void {
    this.#isAccepted = true;
    this.#accept();
  }

  /** The end was received, or the turn was lost with `failure`; listeners first hear what came before. */
  finish(outcome: TurnEnd | { readonly failure: unknown }): void {
    if (this.isOver) return;
    this.#phase = "over";
    this.accept();
    const iterators = [...this.#iterators.keys()];
    if (iterators.length > 0) this.#host.whenTold(() => iterators.forEach((iterator) => void iterator.finish()));
    const end = this.#host.listenersDone().then(() => {
      if ("failure" in outcome) throw outcome.failure;
      return outcome;
    });
    this.#end(end);
    this.#host.over(this);
  }

  async cancel(): Promise<TurnEnd> {
    if (!this.isOver) this.#host.cancel(this);
    return this.ended;
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, undefined> {
    const iterator: EventIterator = new EventIterator(() => this.#detach(iterator));
    if (this.#phase === "over") iterator.finish();
    else if (this.#phase === "sent") this.#attach(iterator);
    else this.#iterators.set(iterator, () => undefined);
    return iterator;
  }

  #attach(iterator: EventIterator): void {
    this.#iterators.set(
      iterator,
      this.#host.listen((event, began) => iterator.offer(event, began)),
    );
  }

  #detach(iterator: EventIterator): void {
    this.#iterators.get(iterator)?.();
    this.#iterators.delete(iterator);
  }
}
