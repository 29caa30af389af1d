import { isObject } from "../codec/read.js";
import type { WatchedSide } from "./watch-options.js";

/** Function that gets the result or the error of a request. */
export type Settle = (result: object | undefined, error: object | undefined) => void;

/** Maximum number of requests without an answer. Beyond it, the oldest request counts as failed. */
const MAX_OPEN_REQUESTS = 1_000;

/** Error of a request that was dropped at the bound. */
const FORGOTTEN = { code: -32603, message: "The watch awaits the answers of 1 000 requests, and this one is older." };

/** Requests of both sides that have no answer yet. */
export class OpenRequests {
  readonly #open = new Map<string, Settle>();

  /** Adds a request of `from`, which the other side answers. */
  add(from: WatchedSide, id: unknown, settle: Settle): void {
    this.#open.set(keyOf(from === "client" ? "agent" : "client", id), settle);
    if (this.#open.size <= MAX_OPEN_REQUESTS) return;
    const [oldest] = this.#open.keys();
    this.#settle(oldest as string, undefined, FORGOTTEN);
  }

  /** Settles the request that an answer of `from` belongs to. */
  answered(
    from: WatchedSide,
    id: unknown,
    { result, error }: { readonly result?: unknown; readonly error?: unknown },
  ): void {
    this.#settle(keyOf(from, id), isObject(result) ? result : {}, isObject(error) ? error : undefined);
  }

  #settle(key: string, result: object | undefined, error: object | undefined): void {
    const settle = this.#open.get(key);
    this.#open.delete(key);
    settle?.(error === undefined ? result : undefined, error);
  }
}

/** Returns the key of a request that `side` answers. Ids of different types differ. They may be bigints. */
const keyOf = (side: WatchedSide, id: unknown): string => `${side} ${typeof id} ${String(id)}`;
