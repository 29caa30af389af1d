import { type CloseReason, dropOldest, type RequestId, type Room, withinGrace } from "@turnkit/transport";
import { isEnd } from "../../wire/session-scope.js";
import { type Backoff, delay } from "../backoff.js";
import type { Inbox } from "../remote-channel.js";
import { createBackoff, INITIALIZE_MS, type Settings } from "../settings.js";
import { EventStream, type StreamEnd, type StreamOwner } from "./event-stream.js";
import { type CallFailure, isOpening, type OpenCalls, type OpenRequest } from "./open-calls.js";
import { PendingEvents } from "./pending-events.js";
import type { Requests } from "./requests.js";
import { idFailure } from "./session-header.js";

/** Parts of a connection that its streams use. */
export type StreamParts = {
  readonly requests: Requests;
  readonly calls: OpenCalls;
  readonly inbox: Inbox;
  readonly settings: Settings;
  /** Returns the maximum number of session streams. */
  readonly limit: () => number;
  /** Ends the connection. */
  readonly lose: (reason: CloseReason) => void;
};

/** Number of characters of a text that is not JSON, for reports. */
const MAX_SAMPLE = 200;

/** Maximum number of sessions whose failure is stored. The oldest are removed first. */
const MAX_FAILED = 1_000;

/** Time without a message after which a replay counts as complete, and the longest wait for it, in milliseconds. */
const replay = { quietMs: 20, longestMs: 2_000 };

/** Members of a received message that decide where it is delivered. */
type Received = {
  readonly id?: RequestId;
  readonly method?: unknown;
  readonly result?: { readonly sessionId?: unknown } | null;
  readonly params?: { readonly update?: { readonly sessionId?: unknown } | null } | null;
} | null;

/** All event streams of a connection, and the delivery of received messages. */
export class Streams implements StreamOwner {
  readonly requests: Requests;
  readonly silenceMs: number;
  readonly pending = new PendingEvents();
  isResumable = false;
  isPacked = false;
  readonly #parts: StreamParts;
  readonly #sessions = new Map<string, EventStream>();
  readonly #failed = new Map<string, CallFailure>();
  readonly #over = new AbortController();
  #connection: EventStream | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.requests = parts.requests;
    this.silenceMs = parts.settings.limits.silenceMs;
  }

  /** Opens the stream of the connection. */
  open(): void {
    this.#connection = new EventStream(this, undefined);
  }

  /**
   * Opens the stream that the answer of a message arrives on, and waits until it is open. For the stream of the
   * connection, messages wait only on a resumable connection, while this stream is cut.
   */
  async ready(sessionId: string | undefined): Promise<void> {
    if (sessionId !== undefined) await this.#stream(sessionId).ready;
    else if (this.isResumable) await this.#connection?.ready;
  }

  /** Returns the failure of a session, or `undefined` if messages of the session can be sent. */
  failure(sessionId: string): CallFailure | undefined {
    return idFailure(sessionId) ?? this.#failed.get(sessionId);
  }

  /** Forgets the failure of a session that is restored. */
  restoring(sessionId: string): void {
    this.#failed.delete(sessionId);
  }

  /** Ends the stream of a session. Its requests fail until it is restored. */
  // REM-33
  failSession(sessionId: string, failure: CallFailure): void {
    this.#failed.delete(sessionId);
    this.#failed.set(sessionId, failure);
    dropOldest(this.#failed, MAX_FAILED);
    this.#forget(sessionId);
    this.#parts.calls.failSession(sessionId, failure);
  }

  /** Returns the reason why no further session can be opened, or `undefined`. `id` is the request that creates one. */
  // REM-37
  refusal(sessionId: string | undefined, id?: RequestId): string | undefined {
    if (sessionId !== undefined && this.#sessions.has(sessionId)) return undefined;
    const { calls, limit } = this.#parts;
    const opening = id === undefined ? 0 : calls.countOpening(id);
    const most = limit();
    if (this.#sessions.size + opening < most) return undefined;
    const remedy = "Close a session, or use HTTP/2 or a wss: address";
    return `${most} sessions are open, which is the most over HTTP here. ${remedy}.`;
  }

  close(): void {
    this.#over.abort();
    for (const stream of [this.#connection, ...this.#sessions.values()]) stream?.close();
    this.#sessions.clear();
  }

  backoff(): Backoff | undefined {
    return this.isResumable ? createBackoff(this.#parts.settings) : undefined;
  }

  receive(message: unknown, bytes: number, stream: EventStream): Room {
    const { calls, inbox } = this.#parts;
    const { id, method, result, params } = (message ?? {}) as NonNullable<Received>;
    if (method !== undefined) {
      if (id !== undefined) calls.asked({ ...(message as object), id }, stream.sessionId);
      else this.#openChild(params?.update?.sessionId);
    } else if (id !== undefined) {
      const request = calls.answered(id);
      const sessionId = result?.sessionId;
      if (request === undefined) return inbox.deliver(message, bytes);
      if (isOpening(request.method) && typeof sessionId === "string")
        return this.#deliverOpened({ message, bytes }, sessionId, request);
      if (request.method === "session/load") return this.#deliverAfterReplay({ message, bytes }, request);
      if (isEnd(request.method) && result !== undefined) this.#forget(request.sessionId);
    }
    return inbox.deliver(message, bytes);
  }

  invalid(text: string, excess?: string): void {
    this.#parts.inbox.invalid(this.#parts.settings.secrets.start(text, MAX_SAMPLE), excess);
  }

  // REM-34
  ended(stream: EventStream, { reason, refusal, isEnded }: StreamEnd): void {
    const { sessionId } = stream;
    const isConflict = refusal?.status === 409 && !stream.hasCursor;
    if (sessionId === undefined || !(isConflict || isEnded)) return this.#parts.lose(reason);
    if (isConflict) return this.failSession(sessionId, { message: reason.message, data: refusal });
    this.#forget(sessionId);
    this.#parts.calls.failSession(sessionId, { message: reason.message });
  }

  #stream(sessionId: string, after?: Promise<void>): EventStream {
    const open = this.#sessions.get(sessionId);
    if (open !== undefined) return open;
    const stream = new EventStream(this, sessionId, after);
    this.#sessions.set(sessionId, stream);
    return stream;
  }

  #forget(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    this.#sessions.get(sessionId)?.close();
    this.#sessions.delete(sessionId);
  }

  /** Opens the stream of a child session, which the agent announces in an update of its parent. */
  #openChild(sessionId: unknown): void {
    if (typeof sessionId !== "string" || this.#sessions.has(sessionId) || this.#failed.has(sessionId)) return;
    const refusal = idFailure(sessionId)?.message ?? this.refusal(sessionId);
    if (refusal === undefined) void this.#stream(sessionId);
    else
      this.#parts.settings.report({ code: "dropped", sessionId, message: `A child session is not read: ${refusal}` });
  }

  /** Opens the stream of a new session, and delivers the answer before the first message of the stream. */
  // REM-31
  async #deliverOpened(arrival: Arrival, sessionId: string, request: OpenRequest): Promise<void> {
    let deliver = () => {};
    const after = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    const { inbox, calls } = this.#parts;
    const failure = idFailure(sessionId);
    if (failure !== undefined)
      return calls.refuse(request.id, { message: `${request.method} made a session, but ${failure.message}` });
    const opened = await withinGrace(this.#stream(sessionId, after).ready, INITIALIZE_MS).catch(() => false);
    if (opened) await inbox.deliver(arrival.message, arrival.bytes);
    else {
      const { message } = this.#failed.get(sessionId) ?? { message: "its event stream could not be opened." };
      calls.refuse(request.id, { message: `${request.method} made a session, but ${message}` });
    }
    deliver();
  }

  /** Delivers the answer of `session/load` after the replay, which arrives on another stream. */
  async #deliverAfterReplay({ message, bytes }: Arrival, { sessionId }: OpenRequest): Promise<void> {
    const stream = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const end = Date.now() + replay.longestMs;
    for (let seen = -1; stream !== undefined && seen !== stream.received && Date.now() < end; ) {
      seen = stream.received;
      await delay(replay.quietMs, this.#over.signal);
    }
    await this.#parts.inbox.deliver(message, bytes);
  }
}

type Arrival = { readonly message: unknown; readonly bytes: number };
