import type { Room } from "./channel.js";
import type { NotificationMessage, RequestId, RequestMessage } from "./message.js";

/** A call of the peer as its route sees it. */
export interface InboundCall {
  /** The message as it came, unknown members included. */
  readonly message: { readonly method: string; readonly params?: unknown; readonly id?: RequestId };
  /** Size on the wire. */
  readonly bytes: number;
  /** Fires on `$/cancel_request` for this call and when the connection closes. Never fires for a notification. */
  readonly signal: AbortSignal;
  /** Runs `then` when {@link signal} fires, before its listeners. Costs far less than the signal. */
  onAbort(then: () => void): void;
  /**
   * Runs `then` in the tick in which the answer went to the channel, and never if the connection closed before. `room` is
   * the channel's room behind the answer. Runs it for a notification, which has no answer, when the route is done.
   */
  afterResponse(then: (room: Room) => void): void;
}

/** One notification of the peer. Its method may be that of a request, so its route may use {@link afterResponse} too. */
export class InboundNotification<M extends NotificationMessage = NotificationMessage> implements InboundCall {
  readonly message: M;
  readonly bytes: number;
  #after: ((room: Room) => void)[] | undefined;

  constructor(message: M, bytes: number) {
    this.message = message;
    this.bytes = bytes;
  }

  // A new one each time: listeners on a shared signal that never fires would live as long as that.
  get signal(): AbortSignal {
    return new AbortController().signal;
  }

  onAbort(_then: () => void): void {
    // A notification has no answer that could be cancelled.
  }

  afterResponse(then: (room: Room) => void): void {
    this.#after ??= [];
    this.#after.push(then);
  }

  /** Runs the functions given to {@link afterResponse}. */
  done(room?: Room): void {
    const after = this.#after;
    if (after === undefined) return;
    this.#after = undefined;
    for (const then of after) then(room);
  }
}

/** One request of the peer that is not answered yet. */
export class InboundRequest extends InboundNotification<RequestMessage> {
  #controller: AbortController | undefined;
  #reason: { readonly reason: unknown } | undefined;
  #onAbort: (() => void)[] | undefined;

  // Created on demand: most calls are answered before a cancel could come.
  override get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason.reason);
    }
    return this.#controller.signal;
  }

  get isCancelled(): boolean {
    return this.#reason !== undefined;
  }

  override onAbort(then: () => void): void {
    this.#onAbort ??= [];
    this.#onAbort.push(then);
  }

  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { reason };
    for (const then of this.#onAbort ?? []) then();
    this.#controller?.abort(reason);
  }
}
