import { Deferred } from "@turnkit/agent/driver";
import type { Messenger } from "./messenger.js";
import type { Clock } from "./store.js";
import { decodeCount, decodeFrame, encodeCount, encodeFrame, FRAME_BYTES, frameKinds } from "./tunnel-frame.js";

/** Bytes that one side may send before the other side has read them. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** Largest body of a frame, in bytes. */
const BODY_BYTES = 256 * 1024;

/** Maximum number of frames that wait for the reader. A message of ACP has more than 16 bytes. */
const MOST_WAITING = WINDOW_BYTES / 16;

/** Parts of a tunnel. */
export type TunnelParts = {
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** Subject at which this side listens. */
  readonly from: string;
  /** Time after which a silent side counts as dead, in milliseconds. */
  readonly silenceMs: number;
};

/**
 * Two streams of bytes between two processes, over the messages of a {@link Messenger}. Frames have numbers, so a lost
 * frame ends the tunnel. Each side sends pings, so the death of the other side ends the tunnel too.
 */
// NATS-06
export class Tunnel {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #parts: TunnelParts;
  readonly #stopListening: () => void;
  #to: string | undefined;
  #sent = 0;
  #received = 0;
  /** Bytes that this side has sent, and that the other side has read. */
  #sentBytes = 0;
  #readByThem = 0;
  #readHere = 0;
  /** Bytes of the frames that wait for the reader. */
  #waitingBytes = 0;
  readonly #waiting: Uint8Array[] = [];
  #isEnded = false;
  #isReaderDone = false;
  #isWriterDone = false;
  #heardAt: number;
  #room: Deferred<void> | undefined;
  #arrival: Deferred<void> | undefined;
  #failure: Error | undefined;
  #stopTimer: () => void = () => undefined;
  #output: WritableStreamDefaultController | undefined;

  constructor(parts: TunnelParts) {
    this.#parts = parts;
    this.#heardAt = parts.clock.now();
    this.#stopListening = parts.messenger.listen(parts.from, (data) => this.#receive(data));
    this.readable = new ReadableStream(
      { pull: (input) => this.#pull(input), cancel: () => this.#readerDone() },
      { highWaterMark: 0 },
    );
    this.writable = new WritableStream({
      start: (output) => {
        this.#output = output;
      },
      write: (bytes) => this.#write(bytes),
      close: () => {
        this.#send(frameKinds.end, new Uint8Array(0));
        this.#writerDone();
      },
      abort: () => this.#writerDone(),
    });
  }

  /** Begins to send to the subject of the other side. */
  begin(to: string): void {
    this.#to = to;
    this.#heardAt = this.#parts.clock.now();
    this.#beat();
  }

  /** Ends a tunnel that was never begun, or whose other side is lost. */
  fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#output?.error(error);
    this.#room?.resolve();
    this.#arrival?.resolve();
    this.#isWriterDone = true;
    this.#readerDone();
  }

  #beat(): void {
    const { clock, silenceMs } = this.#parts;
    if (this.#isOver) return;
    if (clock.now() - this.#heardAt >= silenceMs) return this.fail(new Error("The other gateway is silent."));
    this.#send(frameKinds.ping, new Uint8Array(0));
    this.#stopTimer = clock.after(silenceMs / 4, () => this.#beat());
  }

  #receive(data: Uint8Array): void {
    if (this.#failure !== undefined) return;
    const { kind, number, body } = decodeFrame(data);
    if (number !== this.#received) return this.fail(new Error("A message of the other gateway was lost."));
    this.#received += 1;
    this.#heardAt = this.#parts.clock.now();
    if (kind === frameKinds.data && !this.#isReaderDone) this.#arrived(body);
    if (kind === frameKinds.end) this.#isEnded = true;
    if (kind === frameKinds.read) this.#counted(decodeCount(body));
    if (this.#unread < WINDOW_BYTES) this.#room?.resolve();
    this.#arrival?.resolve();
  }

  #arrived(body: Uint8Array): void {
    this.#waiting.push(body);
    this.#waitingBytes += body.length;
    // The last body may begin inside the window and end outside of it.
    if (this.#waitingBytes > WINDOW_BYTES + BODY_BYTES || this.#waiting.length > MOST_WAITING)
      this.fail(new Error("The other gateway has sent more than its window."));
  }

  #counted(read: number): void {
    if (!Number.isSafeInteger(read) || read < this.#readByThem || read > this.#sentBytes)
      return this.fail(new Error("The other gateway has a wrong count of what it has read."));
    this.#readByThem = read;
  }

  async #pull(input: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#waiting.length === 0) {
      if (this.#failure !== undefined) return input.error(this.#failure);
      if (this.#isEnded) {
        input.close();
        return this.#readerDone();
      }
      this.#arrival = new Deferred();
      await this.#arrival.promise;
    }
    const bytes = this.#waiting.shift() as Uint8Array;
    this.#readHere += bytes.length;
    this.#waitingBytes -= bytes.length;
    this.#send(frameKinds.read, encodeCount(this.#readHere));
    input.enqueue(bytes);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const most = Math.min(BODY_BYTES, this.#parts.messenger.maxBytes - FRAME_BYTES);
    for (let at = 0; at < bytes.length; at += most) {
      while (this.#unread >= WINDOW_BYTES && this.#failure === undefined && !this.#isEnded) {
        this.#room = new Deferred();
        await this.#room.promise;
      }
      if (this.#failure !== undefined) throw this.#failure;
      const body = bytes.subarray(at, at + most);
      this.#sentBytes += body.length;
      this.#send(frameKinds.data, body);
    }
  }

  /** Bytes that the other side has not read yet. */
  get #unread(): number {
    return this.#sentBytes - this.#readByThem;
  }

  #send(kind: number, body: Uint8Array): void {
    if (this.#to === undefined || this.#failure !== undefined) return;
    try {
      this.#parts.messenger.send(this.#to, encodeFrame({ kind, number: this.#sent, body }));
      this.#sent += 1;
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #readerDone(): void {
    this.#isReaderDone = true;
    this.#waiting.length = 0;
    this.#stopIfOver();
  }

  #writerDone(): void {
    this.#isWriterDone = true;
    this.#stopIfOver();
  }

  get #isOver(): boolean {
    return this.#isReaderDone && this.#isWriterDone;
  }

  #stopIfOver(): void {
    if (!this.#isOver) return;
    this.#stopTimer();
    this.#stopListening();
  }
}
