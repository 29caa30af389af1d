import type { RequestId, RequestMessage } from "./message.js";

/** A call of the peer as its route sees it. */
export interface InboundCall {
  /** As it came, unknown members included. */
  readonly message: { readonly method: string; readonly params?: unknown; readonly id?: RequestId };
  /** Its size on the wire. */
  readonly bytes: number;
  /** Fires on `$/cancel_request` for this call and when the connection closes. */
  readonly signal: AbortSignal;
  /** Runs `then` in the tick in which the answer went to the channel; not at all if the connection closed before. */
  afterResponse(then: () => void): void;
}

/** One request of the peer that is being answered. */
export class InboundRequest implements InboundCall {
  readonly message: RequestMessage;
  readonly bytes: number;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;
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
    this.#controller?.abort(reason);
  }

  afterResponse(then: () => void): void {
    this.#afterResponse ??= [];
    this.#afterResponse.push(then);
  }

  answered(): void {
    for (const then of this.#afterResponse ?? []) then();
  }
}
