import type { NotificationMessage, RequestId, RequestMessage } from "./message.js";

/** A call of the peer as its route sees it. */
export interface InboundCall {
  /** As it came, unknown members included. */
  readonly message: { readonly method: string; readonly params?: unknown; readonly id?: RequestId };
  /** Its size on the wire. */
  readonly bytes: number;
  /** Fires on `$/cancel_request` for this call and when the connection closes; never for a notification. */
  readonly signal: AbortSignal;
  /** Runs `then` when {@link signal} fires, before those who listen to it; for who needs no signal it costs far less. */
  onAbort(then: () => void): void;
  /**
   * Runs `then` in the tick in which the answer went to the channel; not at all if the connection closed before. For a
   * notification, which has no answer, when its route is done.
   */
  afterResponse(then: () => void): void;
}

/** One request of the peer that is being answered. */
export class InboundRequest implements InboundCall {
  readonly message: RequestMessage;
  readonly bytes: number;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;
  #onAbort: (() => void)[] | undefined;
  #afterResponse: (() => void)[] | undefined;

  constructor(message: RequestMessage, bytes: number) {
    this.message = message;
    this.bytes = bytes;
  }

  /** Made when somebody asks for it: most calls are answered before anybody could cancel them. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  abort(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    for (const then of this.#onAbort ?? []) then();
    this.#controller?.abort(reason);
  }

  onAbort(then: () => void): void {
    this.#onAbort ??= [];
    this.#onAbort.push(then);
  }

  afterResponse(then: () => void): void {
    this.#afterResponse ??= [];
    this.#afterResponse.push(then);
  }

  answered(): void {
    if (this.#afterResponse !== undefined) for (const then of this.#afterResponse) then();
  }
}

/** One notification of the peer. It may name a method that others ask by a request, so its route can wait for an end. */
export class InboundNotification implements InboundCall {
  readonly message: NotificationMessage;
  readonly bytes: number;
  #after: (() => void)[] | undefined;

  constructor(message: NotificationMessage, bytes: number) {
    this.message = message;
    this.bytes = bytes;
  }

  onAbort(): void {
    // It has no answer that could be called off.
  }

  /** Each has its own, since what listens to one that never fires is kept as long as that is. */
  get signal(): AbortSignal {
    return new AbortController().signal;
  }

  afterResponse(then: () => void): void {
    this.#after ??= [];
    this.#after.push(then);
  }

  done(): void {
    const after = this.#after;
    if (after === undefined) return;
    this.#after = undefined;
    for (const then of after) then();
  }
}
