import {
  type Channel,
  type CloseReason,
  checkChannel,
  checkOptions,
  type Message,
  type Room,
  type RpcErrorObject,
} from "@turnkit/transport";
import { ExpectationError } from "./expectation-error.js";
import { type Frame, isAnswerTo, isCall, nameOf, show } from "./frame.js";
import { afterPatience, usualPatienceMs } from "./patience.js";

/** Bounds of a {@link RawPeer}. */
export type RawPeerOptions = {
  /**
   * Time after which a wait fails, in milliseconds. `Infinity` sets no limit.
   *
   * @defaultValue 2 000
   */
  readonly patienceMs?: number;
  /**
   * Maximum number of received frames. A further frame closes the peer with `overflow`.
   *
   * @defaultValue 100 000
   */
  readonly limit?: number;
};

/**
 * End of a channel that sends and receives bare messages, without a connection that could hide faults.
 *
 * - A wait ends with the expected frame. At the end of the channel, and after `patienceMs`, it ends with an
 *   `ExpectationError`.
 * - Each frame ends at most one wait.
 */
export interface RawPeer extends AsyncDisposable {
  /** All received frames in order, including invalid frames. */
  readonly received: readonly Frame[];
  /** Latest 100 received lines that are not JSON. */
  readonly invalidLines: readonly string[];
  /** Settles at the end of the channel, with the reason. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Sends frames in one write. An object without `jsonrpc` gets this member; other values are sent unchanged. */
  send(...frames: readonly unknown[]): Room;
  /** Sends a request and returns the answer, which may be an error. */
  request(method: string, params?: unknown): Promise<Frame>;
  /** Sends a request and returns its id for {@link RawPeer.answerTo}. */
  ask(method: string, params?: unknown): number;
  notify(method: string, params?: unknown): Room;
  /** Answers a received request. */
  answer(request: Frame, result: unknown): Room;
  /** Answers a received request with an error. */
  refuse(request: Frame, error: RpcErrorObject): Room;
  /** Returns the first matching frame, received earlier or later. Errors show `what` as the name of the frame. */
  next(fits: (frame: Frame) => boolean, what?: string): Promise<Frame>;
  /** Returns the next request or notification of a method. */
  call(method: string): Promise<Frame>;
  /** Returns the answer to a request of this peer. */
  answerTo(id: unknown): Promise<Frame>;
  /**
   * Adds a listener for every frame. The listener runs before any wait ends. Returns a function that removes the listener.
   */
  onFrame(listener: (frame: Frame) => void): () => void;
  close(reason?: CloseReason): Promise<void>;
}

/** Starts a raw peer at one end of a channel. Any implementation may use the other end. */
export function createRawPeer(channel: Channel, options: RawPeerOptions = {}): RawPeer {
  checkChannel("createRawPeer", channel, "pass one end of createMemoryPair()");
  checkOptions("createRawPeer", options, { patienceMs: "number", limit: "number" });
  return new ChannelPeer(channel, options);
}

type Wait = {
  readonly fits: (frame: Frame) => boolean;
  readonly what: string;
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: ExpectationError) => void;
};

const usualLimit = 100_000;
const invalidLineLimit = 100;
const shownFrames = 10;

class ChannelPeer implements RawPeer {
  readonly received: Frame[] = [];
  readonly invalidLines: string[] = [];
  readonly closed: Promise<CloseReason>;
  readonly #channel: Channel;
  readonly #limit: number;
  readonly #patienceMs: number;
  readonly #taken = new Set<Frame>();
  readonly #waits = new Set<Wait>();
  readonly #listeners = new Set<(frame: Frame) => void>();
  #ended: CloseReason | undefined;
  #nextId = 1;

  constructor(channel: Channel, { limit = usualLimit, patienceMs = usualPatienceMs }: RawPeerOptions) {
    this.#channel = channel;
    this.#limit = limit;
    this.#patienceMs = patienceMs;
    this.closed = channel.closed;
    void channel.closed.then((reason) => this.#end(reason));
    channel.start({
      message: (message) => this.#receive(message as Frame),
      invalidLine: (sample) => {
        if (this.invalidLines.push(sample) > invalidLineLimit) this.invalidLines.shift();
      },
    });
  }

  send(...frames: readonly unknown[]): Room {
    let room: Room;
    for (const frame of frames) room = this.#channel.send(withVersion(frame) as Message) ?? room;
    return room;
  }

  request(method: string, params?: unknown): Promise<Frame> {
    return this.answerTo(this.ask(method, params));
  }

  ask(method: string, params?: unknown): number {
    const id = this.#nextId++;
    void this.send({ id, method, ...(params !== undefined && { params }) });
    return id;
  }

  notify(method: string, params?: unknown): Room {
    return this.send({ method, ...(params !== undefined && { params }) });
  }

  answer({ id }: Frame, result: unknown): Room {
    return this.send({ id, result });
  }

  refuse({ id }: Frame, error: RpcErrorObject): Room {
    return this.send({ id, error });
  }

  next(fits: (frame: Frame) => boolean, what = "a frame that fits"): Promise<Frame> {
    const known = this.received.find((frame) => !this.#taken.has(frame) && fits(frame));
    if (known !== undefined) {
      this.#taken.add(known);
      return Promise.resolve(known);
    }
    if (this.#ended !== undefined) return Promise.reject(this.#closedBefore(what, this.#ended));
    return new Promise((resolve, reject) => {
      const giveUp = afterPatience(this.#patienceMs, () => {
        const text = `expected ${what} within ${this.#patienceMs} ms, got ${this.#story()}`;
        wait.reject(new ExpectationError("timeout", text, { expected: what, actual: this.received.map(nameOf) }));
      });
      const settling = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          giveUp();
          this.#waits.delete(wait);
          settle(value);
        };
      };
      const wait: Wait = { fits, what, resolve: settling(resolve), reject: settling(reject) };
      this.#waits.add(wait);
    });
  }

  call(method: string): Promise<Frame> {
    return this.next((frame) => frame.method === method, method);
  }

  answerTo(id: unknown): Promise<Frame> {
    return this.next((frame) => isAnswerTo(frame, id), `the answer to #${String(id)}`);
  }

  onFrame(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(reason?: CloseReason): Promise<void> {
    return this.#channel.close(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #receive(message: unknown): void {
    const frame: Frame = isObject(message) ? message : { notAMessage: message };
    if (this.received.length >= this.#limit) {
      const text = `The raw peer received more than ${this.#limit} frames. Raise its limit.`;
      void this.#channel.close({ kind: "overflow", message: text });
      return;
    }
    this.received.push(frame);
    for (const listener of [...this.#listeners]) listener(frame);
    for (const wait of this.#waits) {
      if (this.#taken.has(frame) || !wait.fits(frame)) continue;
      this.#taken.add(frame);
      wait.resolve(frame);
      return;
    }
  }

  #end(reason: CloseReason): void {
    this.#ended = reason;
    for (const wait of [...this.#waits]) wait.reject(this.#closedBefore(wait.what, reason));
  }

  #closedBefore(what: string, reason: CloseReason): ExpectationError {
    const text = `expected ${what}, but the channel closed: ${reason.message} Received was ${this.#story()}`;
    return new ExpectationError("closed", text, { expected: what, cause: reason.cause });
  }

  /** Returns the labels of the latest frames. */
  #story(): string {
    if (this.received.length === 0) return "nothing";
    const latest = this.received.slice(-shownFrames);
    const left = this.received.length - latest.length;
    const names = latest.map((frame) => (isCall(frame) ? nameOf(frame) : `${nameOf(frame)} ${show(frame)}`));
    return `${left > 0 ? `${left} frames, then ` : ""}${names.join(", ")}`;
  }
}

function isObject(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withVersion(frame: unknown): unknown {
  return isObject(frame) && !("jsonrpc" in frame) ? { jsonrpc: "2.0", ...frame } : frame;
}
