import type { Channel, CloseReason, Message, Room, RpcErrorObject } from "@turnkit/transport";
import { ExpectationError } from "./expectation-error.js";
import { type Frame, isAnswerTo, isCall, nameOf, show } from "./frame.js";
import { afterPatience, usualPatienceMs } from "./patience.js";

/** Bounds of a {@link RawPeer}. */
export type RawPeerOptions = {
  /** How long a wait lasts before it fails, 2 000 ms by default; `Infinity` waits for ever. */
  readonly patienceMs?: number;
  /** How many frames are kept, 100 000 by default; at one more the peer closes as `overflow`. */
  readonly limit?: number;
};

/**
 * One end of a channel as bare messages: a bug of the connection under test cannot hide behind it. Every wait ends: by
 * the frame, by the end of the channel or by patience, the latter two with an `ExpectationError` that says what came
 * instead. A frame that one wait took is not given to another.
 */
export interface RawPeer extends AsyncDisposable {
  /** Everything received so far, in order; what is no message too. */
  readonly received: readonly Frame[];
  /** What was no JSON, the latest 100. */
  readonly invalidLines: readonly string[];
  /** Why the channel ended; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Sends frames as they are, except that `jsonrpc` is added to objects that lack it. Those of one call go in one write. */
  send(...frames: readonly unknown[]): Room;
  /** Asks, and waits for the whole answer; an error is an answer too. */
  request(method: string, params?: unknown): Promise<Frame>;
  /** Asks without waiting; {@link RawPeer.answerTo} waits for what comes. */
  ask(method: string, params?: unknown): number;
  notify(method: string, params?: unknown): Room;
  /** Answers a request that was received. */
  answer(request: Frame, result: unknown): Room;
  /** Answers a request that was received with an error. */
  refuse(request: Frame, error: RpcErrorObject): Room;
  /** The first frame, past or future, that fits; `what` names it for errors. */
  next(fits: (frame: Frame) => boolean, what?: string): Promise<Frame>;
  /** The next request or notification of a method. */
  call(method: string): Promise<Frame>;
  /** The answer to a request of this side. */
  answerTo(id: unknown): Promise<Frame>;
  /** Called at the receipt of every frame, before any wait gets it; returns its unsubscribe. */
  onFrame(listener: (frame: Frame) => void): () => void;
  close(reason?: CloseReason): Promise<void>;
}

/** Takes one end of a channel, of whatever implementation is at the other, and starts it. */
export function createRawPeer(channel: Channel, options: RawPeerOptions = {}): RawPeer {
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
      const text = `The raw peer keeps ${this.#limit} frames and got one more; raise its limit.`;
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

  /** The latest frames in a few words each. */
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
