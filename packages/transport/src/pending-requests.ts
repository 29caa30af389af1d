import type { RequestId, ResponseMessage } from "./channel.js";
import { type AcpError, InvalidMessageError, isErrorCode, RequestAbortedError, RpcError } from "./errors.js";
import { checkIncoming, type StandardSchemaV1 } from "./standard-schema.js";

/** Members of an `AbortSignal` that a request uses. */
export interface RequestSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of one request. */
export type RequestOptions<R> = {
  /** Validator of the result. An invalid result rejects the call, and the connection stays open. */
  // V1-RPC-26
  readonly result?: StandardSchemaV1<unknown, R>;
  /**
   * Receives the result at its receipt, before the next message is handled. An exception of this function rejects the
   * call.
   */
  readonly received?: (result: R) => void;
  /**
   * Receives the error at its receipt, before the next message is handled. It is an error answer, an invalid result or
   * a lost connection. The function is not called for a request that was never sent. It must not throw.
   */
  readonly failed?: (error: unknown) => void;
  /** When the signal aborts, `$/cancel_request` is sent. */
  readonly signal?: RequestSignal;
  /**
   * Effect of an abort: `wait` waits for the peer's answer, and `abandon` rejects immediately.
   *
   * @defaultValue `wait`
   */
  readonly onAbort?: "wait" | "abandon";
};

type Pending = {
  readonly method: string;
  readonly options: RequestOptions<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly done: () => void;
};

/** Maximum number of abandoned requests whose late answers are ignored silently. */
const MAX_ABANDONED = 1_000;

/** Requests of this side that wait for an answer, by id. Ids are counted from 0. */
// V1-RPC-05
export class PendingRequests {
  #nextId = 0;
  readonly #pending = new Map<RequestId, Pending>();
  /** Ids of abandoned requests. Late answers to abandoned requests are dropped without a report. */
  readonly #abandoned = new Set<RequestId>();

  get size(): number {
    return this.#pending.size;
  }

  /** Adds a request. `done` is called once, when the request is answered or has failed. */
  add<R>(method: string, options: RequestOptions<R>, done: () => void): { id: number; answer: Promise<R> } {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { method, options: options as RequestOptions<unknown>, resolve, reject, done });
    });
    return { id, answer: answer as Promise<R> };
  }

  /** Rejects a request immediately. A late answer is dropped. */
  abandon(id: RequestId): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    this.#abandoned.add(id);
    const [oldest] = this.#abandoned.size > MAX_ABANDONED ? this.#abandoned : [];
    if (oldest !== undefined) this.#abandoned.delete(oldest);
    reject(pending, new RequestAbortedError(pending.method, pending.options.signal?.reason));
  }

  /** Rejects a request that was never sent. {@link RequestOptions.failed} is not called. */
  fail(id: RequestId, error: unknown): void {
    const pending = this.#take(id);
    pending?.reject(error);
    pending?.done();
  }

  /** Settles the request that `response` answers. Returns `false` if there is no such request. */
  settle(response: ResponseMessage): boolean {
    const pending = this.#take(response.id);
    if (pending === undefined) return this.#abandoned.delete(response.id);
    try {
      const result = read(pending, response);
      pending.options.received?.(result);
      pending.resolve(result);
      pending.done();
    } catch (error) {
      reject(pending, error);
    }
    return true;
  }

  #take(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** Rejects all open requests, oldest first. */
  failAll(makeError: (method: string) => AcpError): void {
    const open = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of open) {
      reject(pending, makeError(pending.method));
    }
  }
}

/** Rejects a request and calls `failed` synchronously. */
function reject(pending: Pending, error: unknown): void {
  pending.options.failed?.(error);
  pending.reject(error);
  pending.done();
}

function read(pending: Pending, response: ResponseMessage): unknown {
  const { result, error } = response as { result?: unknown; error?: unknown };
  if ("result" in response === "error" in response) {
    const fault = "result" in response ? "it has both a result and an error" : "it has neither result nor error";
    throw new InvalidMessageError(pending.method, "response", [{ path: [], message: fault }]);
  }
  if ("error" in response) throw readError(pending.method, error);
  if (pending.options.result === undefined) return result;
  const checked = checkIncoming(pending.options.result, result);
  if ("issues" in checked) throw new InvalidMessageError(pending.method, "result", checked.issues);
  return checked.value;
}

/** Maximum length of `details` in the message of an error, in characters. */
const MAX_DETAILS = 2_000;

/**
 * Returns the message of an error, followed by the `details` of its data. Many peers send the message "Internal error",
 * and the actual cause as `details`.
 */
function withDetails(message: string, data: unknown): string {
  const { details } = (data ?? {}) as { readonly details?: unknown };
  if (typeof details !== "string" || details === "") return message;
  const shown = details.slice(0, MAX_DETAILS);
  return message.includes(shown) ? message : `${message}: ${shown}`;
}

function readError(method: string, error: unknown): Error {
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    if (isErrorCode(code) && typeof message === "string") return new RpcError(code, withDetails(message, data), data);
  }
  return new InvalidMessageError(method, "response", [{ path: ["error"], message: "it is not an error object" }]);
}
