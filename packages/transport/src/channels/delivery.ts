import type { CloseReason, Receiver } from "../channel.js";
import { AcpError, asSentence, FrameError } from "../errors.js";

/** Messages that have arrived at a channel but are not delivered yet. */
export interface Arrivals<T> {
  push(arrival: T): void;
  /**
   * Delivers the oldest message. Returns `false` if no complete message has arrived.
   *
   * @throws FrameError if the framing is broken
   */
  deliverNext(receiver: Receiver): boolean;
  /** Marks the end of the stream. The last message then counts as complete. */
  end?(): void;
}

/** Number of messages after which delivery lets the event loop run timers and read other input. */
const BURST = 4096;

/** Number of messages after which a timer is set for the end of the burst. Shorter bursts need no timer. */
const TIMED_FROM = 1024;

// The function is read at import, so that the fake clock of a test cannot stop the traffic.
const later = globalThis.setTimeout;

// This is faster than `queueMicrotask` of Node, which takes a third of the total time for a small message.
const settled = /* @__PURE__ */ Promise.resolve();

type Options = {
  /** `true` delivers in a later microtask. */
  readonly defer?: boolean;
  /** `false` if the sender cannot be slowed down. Messages would then pile up during a rest. */
  readonly rests?: boolean;
  /** Called at the start and at the end of every rest. */
  readonly onRest?: (isResting: boolean) => void;
};

/**
 * The reading half of a channel. Delivery is in order, in the tick of the arrival, and can pause between any two
 * messages. After 4 096 messages, delivery rests for one turn of the event loop.
 */
export class Delivery<T> {
  #receiver: Receiver | undefined;
  #isPaused = false;
  #isHeld = false;
  #isDelivering = false;
  #isScheduled = false;
  #isStopped = false;
  #end: CloseReason | undefined;
  readonly #arrivals: Arrivals<T>;
  readonly #onEnd: (reason: CloseReason) => void;
  readonly #isDeferred: boolean;
  readonly #rests: boolean;
  readonly #onRest: ((isResting: boolean) => void) | undefined;
  #isResting = false;
  /** Number of messages since the end of the last burst of at least {@link TIMED_FROM}. */
  #inBurst = 0;
  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#deliver();
  };

  /**
   * Creates a delivery. Without a call of `stop`, `onEnd` is called once: after the last message, or after a broken
   * frame or an exception.
   */
  constructor(arrivals: Arrivals<T>, onEnd: (reason: CloseReason) => void, options: Options = {}) {
    this.#arrivals = arrivals;
    this.#onEnd = onEnd;
    this.#isDeferred = options.defer === true;
    this.#rests = options.rests !== false;
    this.#onRest = options.onRest;
  }

  /** `true` before `start`, and between `pause` and `resume`. */
  get isPaused(): boolean {
    return this.#isPaused || this.#receiver === undefined;
  }

  /** `true` while delivery waits for a turn of the event loop. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /**
   * Begins to deliver messages.
   *
   * @throws AcpError `state` if delivery was started before
   */
  start(receiver: Receiver): void {
    if (this.#receiver !== undefined)
      throw new AcpError(
        "state",
        "The channel has a connection already. One channel serves one: open another channel.",
      );
    this.#receiver = receiver;
    this.#wake();
  }

  push(arrival: T): void {
    if (this.#isStopped || this.#end) return;
    this.#arrivals.push(arrival);
    this.#wake();
  }

  /**
   * Refuses further arrivals. Calls `onEnd` when the messages that have arrived are delivered. The first reason counts.
   */
  end(reason: CloseReason): void {
    if (this.#end) return;
    this.#end = reason;
    this.#arrivals.end?.();
    this.#wake();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#wake();
  }

  /** Delays messages that arrive before `release` to a later microtask. Call `release` in the same tick. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** Ends all delivery. */
  stop(): void {
    this.#isStopped = true;
  }

  #wake(): void {
    if (this.#isDeferred) this.#deliverSoon();
    else this.#deliver();
  }

  #deliverSoon(): void {
    if (this.#isScheduled || this.#isStopped || this.isPaused) return;
    this.#isScheduled = true;
    void settled.then(this.#run);
  }

  #deliver(): void {
    // The receiver may have resumed, paused or closed the channel during a delivery.
    if (this.#isDelivering || this.#receiver === undefined) return;
    this.#isDelivering = true;
    try {
      while (!this.#isPaused && !this.#isHeld && !this.#isStopped && !this.#isResting) {
        if (this.#arrivals.deliverNext(this.#receiver)) {
          if (this.#rests) this.#countArrival();
          continue;
        }
        if (this.#end) this.#finish(this.#end);
        break;
      }
      if (this.#isHeld) this.#deliverSoon();
    } catch (cause) {
      this.#finish(faultOf(cause));
    } finally {
      this.#isDelivering = false;
    }
  }

  #countArrival(): void {
    this.#inBurst += 1;
    if (this.#inBurst === TIMED_FROM) later(() => this.#endBurst(), 0);
    if (this.#inBurst !== BURST || this.#isStopped) return;
    this.#isResting = true;
    this.#onRest?.(true);
  }

  #endBurst(): void {
    this.#inBurst = 0;
    if (!this.#isResting) return;
    this.#isResting = false;
    this.#deliver();
    if (!this.#isResting) this.#onRest?.(false);
  }

  #finish(reason: CloseReason): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#onEnd(reason);
  }
}

function faultOf(cause: unknown): CloseReason {
  if (cause instanceof FrameError) return { kind: "frame", message: cause.message, cause };
  return { kind: "local", message: asSentence(`The receiver of a message threw: ${String(cause)}`), cause };
}
