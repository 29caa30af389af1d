import type { MessageLog } from "./log/message-log.js";

/** A message on its way to the client. */
export type Outgoing = {
  readonly text: string;
  /** `true` if the message has a member `_meta` beside `jsonrpc`. */
  readonly hasMeta?: boolean;
  /** `true` for the answer that agrees on packed frames. It has a frame of its own, and later messages may be packed. */
  readonly agrees?: boolean;
  /** Present if the message is a request of the agent. */
  readonly question?: { readonly id: unknown };
};

/** Reason for the end of a connection: a close code of WebSockets, and one sentence. */
export type EndCause = {
  readonly code: number;
  readonly reason: string;
  /** `true` if unwritten messages are dropped, because nothing may wait for the client any more. */
  readonly isCut?: boolean;
};

/** Reader of a stream: a request of server-sent events, or a WebSocket. */
export interface Reader {
  /** Messages wait in the stream. */
  wake(): void;
  /** The connection is over. The reader takes the waiting messages, and then ends. */
  end(cause: EndCause): void;
  /** The reader takes no more messages, because another one took over or the stream failed. */
  replaced(): void;
}

/** Listener of a stream. */
export interface StreamListener {
  /** A reader has taken a message. */
  taken(stream: OutStream): void;
  /** The size of the texts that a reader still has to write has changed. */
  writes(by: number): void;
  /** The stream has got its first reader. */
  attached(): void;
  /** The stream has lost its reader. */
  detached(): void;
}

/** Messages to the client in order: of a session, of a connection, or of a whole WebSocket. It has one reader at most. */
export class OutStream {
  readonly sessionId: string | undefined;
  readonly log: MessageLog<Outgoing>;
  /** `true` if messages were dropped, because nobody took them. */
  hasFailed = false;
  /** Time at which the stream lost its reader. */
  idleSince = Date.now();
  readonly #listener: StreamListener;
  #reader: Reader | undefined;
  /** Size of the messages that the reader has taken and the client has not. */
  #writing = 0;
  #end: EndCause | undefined;

  constructor(sessionId: string | undefined, log: MessageLog<Outgoing>, listener: StreamListener) {
    this.sessionId = sessionId;
    this.log = log;
    this.#listener = listener;
  }

  get hasReader(): boolean {
    return this.#reader !== undefined;
  }

  /** Returns `true` for the present reader. */
  isRead(reader: Reader): boolean {
    return reader === this.#reader;
  }

  push(outgoing: Outgoing): void {
    this.log.append(outgoing, outgoing.text.length);
    this.#reader?.wake();
  }

  /** Returns the next message for the reader. Returns `undefined` if there is none, or for an earlier reader. */
  take(reader: Reader): Outgoing | undefined {
    if (reader !== this.#reader) return undefined;
    const outgoing = this.log.take(Date.now());
    if (outgoing !== undefined) this.#listener.taken(this);
    return outgoing;
  }

  /** Reports the size of the messages that the reader has taken and the client has not. */
  writes(reader: Reader, size: number): void {
    if (reader !== this.#reader || size === this.#writing) return;
    const by = size - this.#writing;
    this.#writing = size;
    this.#listener.writes(by);
  }

  /** Sets the reader. A present reader is replaced. */
  attach(reader: Reader): void {
    const before = this.#reader;
    this.#reader = reader;
    before?.replaced();
    if (before === undefined) this.#listener.attached();
    if (this.#end !== undefined) reader.end(this.#end);
  }

  /** Removes a reader whose client has gone. */
  detach(reader: Reader): void {
    if (this.#reader !== reader) return;
    this.writes(reader, 0);
    this.#reader = undefined;
    this.idleSince = Date.now();
    this.#listener.detached();
  }

  /** Drops all messages, and the reader. Returns the messages that no reader has taken. */
  fail(): readonly Outgoing[] {
    this.hasFailed = true;
    const reader = this.#reader;
    if (reader !== undefined) this.detach(reader);
    reader?.replaced();
    return this.log.dropUnread();
  }

  end(cause: EndCause): void {
    this.#end = cause;
    if (cause.isCut || this.#reader === undefined) this.log.dropUnread();
    this.#reader?.end(cause);
  }
}
