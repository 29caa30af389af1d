import type { Account } from "./log/message-log.js";
import { MessageLog } from "./log/message-log.js";
import { type Outgoing, OutStream } from "./out-stream.js";
import type { RetentionOptions } from "./server-options.js";

/** Listener of the streams of a connection. */
export interface StreamListener {
  /** A reader has taken a message. */
  progress(): void;
  /** The last reader of all streams has left. */
  idle(): void;
}

const nothing: RetentionOptions = { messages: 0, seconds: 0, characters: 0 };

/** All streams of one connection. Over a WebSocket there is only one. */
export class OutStreams {
  readonly account: Account = { unread: 0, taken: 0 };
  readonly #family = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  readonly #listener: StreamListener;
  readonly #sessions = new Map<string, OutStream>();
  readonly #isSingle: boolean;
  #retention = nothing;
  #count = 0;
  #connection: OutStream | undefined;

  constructor(isSingle: boolean, listener: StreamListener) {
    this.#isSingle = isSingle;
    this.#listener = listener;
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

  /** Number of streams of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** `true` if some stream has a reader. */
  get hasReader(): boolean {
    return this.all().some(({ hasReader }) => hasReader);
  }

  all(): readonly OutStream[] {
    const connection = this.#connection === undefined ? [] : [this.#connection];
    return [...connection, ...this.#sessions.values()];
  }

  /** Returns the stream of a session, or that of the connection without a session. */
  of(sessionId: string | undefined): OutStream {
    if (sessionId === undefined || this.#isSingle) return this.connection;
    const stream = this.#sessions.get(sessionId) ?? this.#create(sessionId);
    this.#sessions.set(sessionId, stream);
    return stream;
  }

  /** Returns the stream of a session if there is one. */
  find(sessionId: string): OutStream | undefined {
    return this.#isSingle ? this.#connection : this.#sessions.get(sessionId);
  }

  end(): void {
    for (const stream of this.all()) stream.end();
  }

  #create(sessionId: string | undefined): OutStream {
    this.#count += 1;
    const { messages, seconds, characters } = this.#retention;
    const retention = { items: messages, size: characters, ms: seconds * 1_000 };
    const log = new MessageLog<Outgoing>({ family: this.#family, log: this.#count }, retention, this.account);
    return new OutStream(sessionId, log, {
      progress: () => this.#listener.progress(),
      idle: () => {
        if (!this.hasReader) this.#listener.idle();
      },
    });
  }
}
