import { type CloseReason, FrameError, isAcpError, type Room } from "@turnkit/transport";
import { createLineParser, frameLimit } from "@turnkit/transport/channels";
import { headerName } from "../../wire/headers.js";
import { linesOf } from "../../wire/packed.js";
import type { Backoff } from "../backoff.js";
import { isCursor, Position, takeCursor } from "../cursor.js";
import { Deadline } from "../deadline.js";
import { RESTORE_ADVICE } from "../settings.js";
import { EventParser, type StreamEvent } from "./event-parser.js";
import type { PendingEvents } from "./pending-events.js";
import { conflictReason, faultText, isGone, isPassing, type Refusal, type Requests, refusalText } from "./requests.js";
import { sessionHeader } from "./session-header.js";

/** The end of a stream that is not reopened. */
export type StreamEnd = {
  readonly reason: CloseReason;
  /** Present if the server refused the stream. */
  readonly refusal?: Refusal;
  /** `true` for the end of a stream that was open, without resumption. */
  readonly isEnded?: boolean;
};

/** The connection that a stream belongs to. */
export interface StreamOwner {
  readonly requests: Requests;
  /** Sizes of the incomplete events of all streams. */
  readonly pending: PendingEvents;
  /** `true` if the data of an event may have several messages. */
  readonly isPacked: boolean;
  /** Creates the delays of a stream, or returns `undefined` on a connection that is not resumable. */
  backoff(): Backoff | undefined;
  /** Time without a byte after which a resumable stream counts as cut, in milliseconds. */
  readonly silenceMs: number;
  /** Takes a message. The next one is read when the promise settles. */
  receive(message: unknown, bytes: number, stream: EventStream): Room;
  invalid(text: string, excess?: string): void;
  /** Called once, if the stream ends by itself. */
  ended(stream: EventStream, end: StreamEnd): void;
}

/** End of one request of a stream. */
type Cut = StreamEnd & { readonly mayReopen: boolean };

/** One stream of server-sent events: of the connection, or of a session. A cut is repaired if the server allows it. */
export class EventStream {
  readonly sessionId: string | undefined;
  /** Settles when the server has opened the stream. A cut begins a new promise. Rejects at the end. */
  ready: Promise<void>;
  /** Number of messages that have arrived. */
  received = 0;
  readonly #owner: StreamOwner;
  readonly #abort = new AbortController();
  readonly #position = new Position();
  readonly #parse = createLineParser();
  readonly #backoff: Backoff | undefined;
  #open = () => {};
  #fail: (error: Error) => void = () => {};
  #isOpen = false;
  /** Number of requests for this stream. */
  #requests = 0;

  /** Opens a stream. Its messages wait until `after` settles. */
  constructor(owner: StreamOwner, sessionId: string | undefined, after?: Promise<void>) {
    this.#owner = owner;
    this.sessionId = sessionId;
    this.#backoff = owner.backoff();
    this.ready = this.#whenOpen();
    void this.#run(after);
  }

  /** Ends the stream. Nothing is reported. */
  close(): void {
    this.#abort.abort();
    this.#fail(new Error("the stream was closed"));
  }

  #whenOpen(): Promise<void> {
    const ready = new Promise<void>((resolve, reject) => {
      this.#open = resolve;
      this.#fail = reject;
    });
    ready.catch(() => {});
    return ready;
  }

  async #run(after: Promise<void> | undefined): Promise<void> {
    const { signal } = this.#abort;
    for (;;) {
      const cut = await this.#once(after);
      if (signal.aborted) return;
      if (this.#isOpen) this.ready = this.#whenOpen();
      this.#isOpen = false;
      // REM-50: the first event of a stream is its cursor. A stream that sent messages before any cursor cannot be
      // continued.
      const mayReopen = cut.mayReopen && (this.#position.cursor !== undefined || this.received === 0);
      if (mayReopen && (await this.#backoff?.next(cut.reason.message, signal))) continue;
      if (signal.aborted) return;
      this.#fail(new Error(cut.reason.message));
      const isLost = mayReopen && this.#backoff !== undefined;
      const message = `${cut.reason.message} No attempt to reopen it succeeded. ${RESTORE_ADVICE}.`;
      return this.#owner.ended(this, isLost ? { reason: { ...cut.reason, kind: "failed", message } } : cut);
    }
  }

  /** Opens the stream once, and reads it to its end. */
  async #once(after: Promise<void> | undefined): Promise<Cut> {
    // REM-45
    const silence = new Deadline(this.#abort.signal, this.#backoff === undefined ? undefined : this.#owner.silenceMs);
    this.#requests += 1;
    try {
      const headers = { ...sessionHeader(this.sessionId), [headerName.lastEventId]: this.#position.cursor };
      const response = await this.#owner.requests.get(headers, silence.signal);
      if (!response.ok || response.body === null) return this.#refused(await this.#owner.requests.refusal(response));
      // REM-50: a cut before the first event loses nothing.
      const cursor = response.headers.get(headerName.cursor);
      if (isCursor(cursor)) this.#position.moveTo(cursor);
      this.#isOpen = true;
      this.#backoff?.opened();
      this.#open();
      silence.stop();
      await after;
      return await this.#read(response.body, silence);
    } catch (cause) {
      if (cause instanceof FrameError)
        return { mayReopen: false, reason: { kind: "frame", message: cause.message, cause } };
      const message = `${this.#name} was cut: ${this.#owner.requests.clean(faultText(cause))}.`;
      return { mayReopen: true, reason: { kind: "failed", message, cause } };
    } finally {
      silence.end();
    }
  }

  async #read(body: ReadableStream<Uint8Array>, silence: Deadline): Promise<Cut> {
    const parser = new EventParser(frameLimit);
    const reader = body.getReader();
    // M12: the fetch of Node may leave a read open after an abort.
    silence.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    try {
      for (;;) {
        silence.restart();
        const { done, value } = await reader.read();
        silence.stop();
        silence.signal.throwIfAborted();
        if (done) break;
        const events = parser.push(value);
        this.#owner.pending.set(this, parser.pending);
        for (const event of this.#owner.isPacked ? events.flatMap(unpacked) : events) {
          const room = this.#take(event);
          if (room !== undefined) await room;
          if (this.#abort.signal.aborted) break;
        }
      }
    } finally {
      this.#owner.pending.set(this, 0);
      reader.cancel().catch(() => {});
    }
    return {
      mayReopen: true,
      isEnded: true,
      reason: { kind: "remote", message: `The server ended ${this.#name.toLowerCase()}.` },
    };
  }

  #take({ data, id }: StreamEvent): Room {
    if (data === undefined) {
      if (isCursor(id)) this.#position.moveTo(id);
      return undefined;
    }
    let message: unknown;
    try {
      message = this.#parse(data);
    } catch (error) {
      this.#owner.invalid(data, isAcpError(error) ? error.message : undefined);
      return undefined;
    }
    const cursor = takeCursor(message) ?? id;
    if (isCursor(cursor) && !this.#position.moveTo(cursor)) return undefined;
    this.#backoff?.progress();
    this.received += 1;
    return this.#owner.receive(message, data.length, this);
  }

  #refused(refusal: Refusal): Cut {
    const { cursor } = this.#position;
    const conflict = refusal.status === 409 ? conflictReason(refusal) : undefined;
    const isBusy = refusal.status === 409 && conflict === "reader_busy";
    const why = `${this.#name} was refused: ${refusalText(refusal)}${conflict === undefined ? "" : ` (${conflict})`}.`;
    // REM-41, REM-51
    const isLost = cursor !== undefined && refusal.status === 409 && !isBusy;
    const wasOpen = cursor !== undefined || this.received > 0 || this.#requests > 1;
    const lost = isLost ? " Messages after the cut are lost." : "";
    const message = isLost || (wasOpen && isGone(refusal.status)) ? `${why}${lost} ${RESTORE_ADVICE}.` : why;
    // After a cut, the busy reader can be an earlier request of this stream. The server may not have noticed its end
    // yet.
    const mayReopen = isPassing(refusal.status) || (isBusy && (cursor !== undefined || this.#requests > 1));
    return { mayReopen, reason: { kind: "failed", message }, refusal };
  }

  /** `true` if the server has given a cursor, so that a cut can be repaired. */
  get hasCursor(): boolean {
    return this.#position.cursor !== undefined;
  }

  get #name(): string {
    return this.sessionId === undefined ? "The event stream of the connection" : "The event stream of a session";
  }
}

/** Returns an event for each message of an event. The last one has the cursor. */
const unpacked = ({ data, id }: StreamEvent): readonly StreamEvent[] =>
  data === undefined
    ? [{ id }]
    : linesOf(data).map((line, at, { length }) => (at + 1 === length ? { data: line, id } : { data: line }));
