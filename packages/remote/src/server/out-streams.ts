import { LogSizes, MessageLog } from "./log/message-log.js";
import { type EndCause, type Outgoing, OutStream, type StreamListener } from "./out-stream.js";
import type { RetentionOptions } from "./server-options.js";

const nothing: RetentionOptions = { messages: 0, seconds: 0, characters: 0 };

/** Bound of the taken messages of all streams together, as a multiple of the bound `characters` of one stream. */
const COMMON = 4;

/** All streams of one connection. Over a WebSocket there is only one. */
export class OutStreams implements StreamListener {
  readonly sizes: LogSizes;
  readonly #family = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  readonly #isSingle: boolean;
  readonly #limit: number;
  readonly #listener: StreamListener;
  readonly #sessions = new Map<string, OutStream>();
  #retention = nothing;
  #count = 0;
  #readers = 0;
  #connection: OutStream | undefined;

  constructor({ isSingle, limit }: { readonly isSingle: boolean; readonly limit: number }, listener: StreamListener) {
    this.#isSingle = isSingle;
    this.#limit = limit;
    this.#listener = listener;
    this.sizes = new LogSizes((by) => listener.writes(by));
  }

  /** Begins to keep messages that were taken. Call it before the first stream is used. */
  retain(retention: RetentionOptions): void {
    this.#retention = retention;
  }

  /** Stream of the connection. */
  get connection(): OutStream {
    this.#connection ??= this.#create(undefined);
    return this.#connection;
  }

  get hasReader(): boolean {
    return this.#readers > 0;
  }

  all(): readonly OutStream[] {
    const connection = this.#connection === undefined ? [] : [this.#connection];
    return [...connection, ...this.#sessions.values()];
  }

  /** `true` if no further stream of a session may get a reader. */
  get isFull(): boolean {
    // The stream of the connection is one of the readers, and does not count for the limit.
    return this.#readers > this.#limit;
  }

  /**
   * Returns the stream of a session, or that of the connection without a session. Returns `undefined` if too many streams
   * have no reader.
   */
  of(sessionId: string | undefined): OutStream | undefined {
    if (sessionId === undefined || this.#isSingle) return this.connection;
    const found = this.#sessions.get(sessionId);
    if (found !== undefined) return found;
    if (this.#unattended >= this.#limit) this.sweep(Date.now());
    if (this.#unattended >= this.#limit) return undefined;
    const stream = this.#create(sessionId);
    this.#sessions.set(sessionId, stream);
    return stream;
  }

  /** Returns the stream of a session if there is one. */
  find(sessionId: string | undefined): OutStream | undefined {
    return sessionId === undefined || this.#isSingle ? this.#connection : this.#sessions.get(sessionId);
  }

  /** Drops messages that were kept for the maximum time, and empty session streams without a reader. */
  sweep(now: number): void {
    for (const stream of this.all()) {
      const { log, sessionId, idleSince, hasReader, hasFailed } = stream;
      log.trim(now);
      // A client may return with the cursor of an empty log.
      const isOld = !hasReader && now - idleSince >= this.#retention.seconds * 1_000;
      if (isOld && log.isEmpty && !hasFailed && sessionId !== undefined) this.#sessions.delete(sessionId);
    }
  }

  end(cause: EndCause): void {
    for (const stream of this.all()) stream.end(cause);
  }

  taken(stream: OutStream): void {
    if (this.sizes.taken > this.#retention.characters * COMMON) {
      const { log } = this.all().reduce((one, other) => (other.log.taken > one.log.taken ? other : one));
      log.dropTaken(log.taken / COMMON);
    }
    this.#listener.taken(stream);
  }

  writes(by: number): void {
    this.#listener.writes(by);
  }

  /** Drops everything that is kept for a resume. Returns `false` if there was nothing. */
  dropTaken(): boolean {
    if (this.sizes.taken === 0) return false;
    for (const { log } of this.all()) log.dropTaken(Number.POSITIVE_INFINITY);
    return true;
  }

  attached(): void {
    this.#readers += 1;
    this.#listener.attached();
  }

  detached(): void {
    this.#readers -= 1;
    this.#listener.detached();
  }

  /** Number of session streams without a reader. The stream of the connection may be among the readers. */
  get #unattended(): number {
    return this.#sessions.size - this.#readers;
  }

  #create(sessionId: string | undefined): OutStream {
    this.#count += 1;
    const { messages, seconds, characters } = this.#retention;
    const retention = { items: messages, size: characters, ms: seconds * 1_000 };
    const log = new MessageLog<Outgoing>({ family: this.#family, log: this.#count }, retention, this.sizes);
    return new OutStream(sessionId, log, this);
  }
}
