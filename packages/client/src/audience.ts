import { reduce, reduceAll, replacingMetadata, type SessionEvent, type SessionState } from "@turnkit/session";
import type { Diagnostic, Lane } from "@turnkit/transport";
import type { Handled } from "./event-iterator.js";
import { Subscriptions } from "./subscriptions.js";

type Awaitable<T> = T | Promise<T>;

/** Told an event; `began` is the moment of the lane at which. */
export type Listener = (event: SessionEvent, began: number) => Awaitable<void> | Handled;

/** How metadata that comes anew is folded: key by key, or as the whole of it (V2-SEED-10). */
export type MetaMode = "patch" | "replace";

/** What an audience is made of. */
export type AudienceParts = {
  readonly lane: Lane;
  readonly metaMode: MetaMode | undefined;
  report(diagnostic: Diagnostic): void;
};

/** A listener that holds up an end for so long is reported. */
const STUCK_AFTER_MS = 5_000;

/** How much is left to fold at most, as {@link sizeOf} has it: who looks waits less than a tenth of a millisecond. */
const MAX_UNFOLDED = 65_536;
const EVENT_SIZE = 256;
/** Events of a turn take no bytes, but change more of the state than others. */
const TURN_EVENT_SIZE = 4_096;

/**
 * The state of one session and who follows it. Subscribers hear of every change at once; each listener is told, in the
 * lane, what was received after it came, and nothing from before.
 *
 * Events count as folded at receipt. While nobody is subscribed they are folded together, when somebody looks, and nobody
 * can tell: most states between two chunks are never seen, and to fold each of them was a third of a client's work.
 */
export class Audience {
  #state: SessionState;
  #unfolded: SessionEvent[] = [];
  #unfoldedSize = 0;
  readonly #parts: AudienceParts;
  readonly #listeners = new Subscriptions<Listener>();
  readonly #subscribers = new Subscriptions<() => void>();
  /** Number of the newest event. */
  #newest = 0;

  constructor(state: SessionState, parts: AudienceParts) {
    this.#state = state;
    this.#parts = parts;
  }

  get state(): SessionState {
    if (this.#unfolded.length > 0) this.#foldAll();
    return this.#state;
  }

  subscribe(subscriber: () => void): () => void {
    // What came before is no change to it.
    this.#foldAll();
    return this.#subscribers.add(subscriber);
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener, this.#newest);
  }

  /** Folds, and tells listeners in their order. Nothing waits, and nothing is counted, while nobody listens. */
  tell(event: SessionEvent, bytes: number): void {
    this.fold(event, bytes);
    if (this.#listeners.isEmpty) return;
    this.#newest += 1;
    const round = this.#newest;
    this.#parts.lane.tell(bytes, (began) => this.#call(event, round, began));
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent, bytes: number): void {
    this.#unfolded.push(event);
    this.#unfoldedSize += sizeOf(event, bytes);
    if (!this.#subscribers.isEmpty) this.#foldForSubscribers();
    else if (this.#unfoldedSize >= MAX_UNFOLDED) this.#foldAll();
  }

  /** Runs `work` when listeners have finished with everything received so far; where they have, at once. */
  whenDone(work: () => void): void {
    const { lane } = this.#parts;
    if (lane.isSettled) return work();
    const timer = setTimeout(() => {
      const message = "A listener holds up the end of a turn or a restore. Does it await that itself?";
      this.#parts.report({ code: "listener_stuck", message });
    }, STUCK_AFTER_MS);
    void lane.settled().then(() => {
      clearTimeout(timer);
      work();
    });
  }

  #foldAll(): void {
    const events = this.#unfolded;
    this.#unfolded = [];
    this.#unfoldedSize = 0;
    this.#state =
      this.#parts.metaMode === "replace"
        ? events.reduce((state, event) => reduce(state, replacingMetadata(state, event)), this.#state)
        : reduceAll(this.#state, events);
  }

  #foldForSubscribers(): void {
    const before = this.#state;
    this.#foldAll();
    if (this.#state === before) return;
    this.#subscribers.each((subscriber) => {
      try {
        subscriber();
      } catch (error) {
        this.#parts.report({ code: "listener_failed", message: "A subscriber failed.", error });
      }
    });
  }

  #call(event: SessionEvent, round: number, began: number): undefined | Handled {
    let all: Handled | undefined;
    this.#listeners.each((listener) => {
      const handled = this.#callOne(listener, event, began);
      all = all && handled ? both(all, handled) : (all ?? handled);
    }, round);
    return all;
  }

  #callOne(listener: Listener, event: SessionEvent, began: number): Handled | undefined {
    try {
      const outcome = listener(event, began);
      if (typeof outcome !== "object" || outcome === null) return undefined;
      if ("since" in outcome) return outcome;
      const done = Promise.resolve(outcome).then(
        () => undefined,
        (error: unknown) => this.#failed(error),
      );
      return { done, since: began };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#parts.report({ code: "listener_failed", message: "A listener failed.", error });
  }
}

/** What an event counts for until it is folded. Those of this side that nobody knows the size of are folded at once. */
function sizeOf(event: SessionEvent, bytes: number): number {
  if (bytes > 0) return bytes + EVENT_SIZE;
  switch (event.type) {
    case "turn_started":
      return TURN_EVENT_SIZE;
    case "turn_ended":
      return event.error === undefined ? TURN_EVENT_SIZE + sizeOfText(event.stopReason) : MAX_UNFOLDED;
    case "prompt_accepted":
      return TURN_EVENT_SIZE + sizeOfText(event.messageId);
    case "prompt_sent":
      return event.content.reduce(
        (size, block) => size + sizeOfText("text" in block ? block.text : block),
        TURN_EVENT_SIZE,
      );
    default:
      return MAX_UNFOLDED;
  }
}

function sizeOfText(text: unknown): number {
  if (text === undefined) return 0;
  return typeof text === "string" ? text.length : MAX_UNFOLDED;
}

function both(one: Handled, other: Handled): Handled {
  const done = Promise.all([one.done, other.done]).then(() => undefined);
  return { done, since: Math.min(one.since, other.since) };
}
