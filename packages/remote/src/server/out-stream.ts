import type { ResumeRefusal } from "../wire/resumption.js";
import type { Entry, MessageLog } from "./log/message-log.js";

/** A message on its way to the client: its text, and its id if it is a request of the agent. */
export type Outgoing = { readonly text: string; readonly question?: { readonly id: unknown } };

/** Reader of a stream: a request of server-sent events, or a WebSocket. */
export interface Reader {
  /** Messages wait in the stream. */
  wake(): void;
  /** The connection is over. The reader takes the waiting messages, and then ends. */
  end(): void;
  /** Another reader has taken over. */
  replaced(): void;
}

/** Messages to the client in order: of a session, of a connection, or of a whole WebSocket. It has one reader at most. */
export class OutStream {
  readonly sessionId: string | undefined;
  readonly log: MessageLog<Outgoing>;
  /** `true` if messages were dropped, because nobody took them. */
  hasFailed = false;
  /** Called when a reader has taken messages. */
  readonly #onProgress: () => void;
  /** Called when the last reader has left. */
  readonly #onIdle: () => void;
  #reader: Reader | undefined;
  #hasEnded = false;

  constructor(
    sessionId: string | undefined,
    log: MessageLog<Outgoing>,
    on: { readonly progress: () => void; readonly idle: () => void },
  ) {
    this.sessionId = sessionId;
    this.log = log;
    this.#onProgress = on.progress;
    this.#onIdle = on.idle;
  }

  get hasReader(): boolean {
    return this.#reader !== undefined;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  push(outgoing: Outgoing): void {
    this.log.append(outgoing, outgoing.text.length);
    this.#reader?.wake();
  }

  /** Returns the next message for the reader. */
  take(): Entry<Outgoing> | undefined {
    const entry = this.log.take(Date.now());
    if (entry !== undefined) this.#onProgress();
    return entry;
  }

  /** Moves to the place after a cursor. Returns the reason if this is not possible. */
  seek(cursor: string): ResumeRefusal | undefined {
    return this.log.seek(cursor, Date.now());
  }

  /** Sets the reader. A present reader is replaced. */
  attach(reader: Reader): void {
    const before = this.#reader;
    this.#reader = reader;
    before?.replaced();
    if (this.#hasEnded) reader.end();
  }

  /** Removes a reader that has gone. */
  detach(reader: Reader): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    this.#onIdle();
  }

  end(): void {
    this.#hasEnded = true;
    this.#reader?.end();
  }
}
