import type { NotificationMessage, RequestId, RequestMessage, Room } from "./channel.js";
import { checkArgument } from "./check-argument.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** Call of the peer, as its route receives it. */
export interface InboundCall {
  /** Message as it was received. Unknown members are included. */
  readonly message: { readonly method: string; readonly params?: unknown; readonly id?: RequestId };
  /** Size on the wire in bytes. */
  readonly bytes: number;
  /** Aborts on `$/cancel_request` for this call, and when the connection closes. Never aborts for a notification. */
  readonly signal: AbortSignal;
  /**
   * Runs `then` when {@link signal} aborts, before the listeners of the signal. A call of `onAbort` costs much less
   * than the creation of the signal.
   */
  onAbort(then: () => void): void;
  /**
   * Runs `then` in the tick in which the answer is sent. If the connection closes before, `then` is never called.
   * `room` is the channel's room after the answer. For a notification, `then` runs when the route has finished.
   */
  afterResponse(then: (room: Room) => void): void;
}

/** The handling of one method of the peer. */
// biome-ignore lint/suspicious/noExplicitAny: routes of many param types live in one table; each checks its own.
export type Route<P = any> = {
  /** Synchronous validator of the params. Without it, the route gets the params unchecked. */
  readonly params?: StandardSchemaV1<unknown, P>;
  /**
   * Handles a call at receipt, before the next message is handled. For a request, returns the result or a promise of
   * the result. A thrown `RpcError` becomes the answer. For a notification, the returned value is ignored.
   */
  receive(params: P, call: InboundCall): unknown;
};

/** Method of a protocol. */
export type ContractRow = {
  readonly from: "client" | "agent" | "both";
  readonly scope: "session" | "connection";
  /** Validator of the params. A side needs no validator for methods that only this side sends. */
  readonly params?: StandardSchemaV1;
  /** Validator of the result. Absent for notifications, and for results that are not checked. */
  readonly result?: StandardSchemaV1;
  /** Notification that has the same name as this request, and the side that sends it. */
  readonly notification?: { readonly from: "client" | "agent" | "both"; readonly params?: StandardSchemaV1 };
};

/** The methods of one version of a protocol, as data. */
export type Contract = Readonly<Record<string, ContractRow>>;

/** Handlers of one side for the methods of its peer, by method name. */
export type Handlers = Readonly<Record<string, ((params: never, call: InboundCall) => unknown) | undefined>>;

/**
 * Creates the routes of one side from a contract and handlers. The contract validates the params. A call of a method
 * without a handler is answered with `-32601`. Methods that begin with `_` are extensions. Their handlers get the
 * params without validation.
 *
 * @param side side that the handlers belong to; the other side sends the calls
 * @throws TypeError for a handler of a method that this side sends itself, or of an unknown method that is not an
 * extension
 */
export function createRoutes(
  contract: Contract,
  side: "client" | "agent",
  handlers: Handlers,
): (method: string) => Route | undefined {
  const remedy = "pass a contract, the side of this program, and an object of functions by method";
  checkArgument(typeof handlers === "object" && handlers !== null, "createRoutes handlers", { got: handlers, remedy });
  const table = new Map<string, Route>();
  for (const [method, receive] of Object.entries(handlers)) {
    if (receive === undefined) continue;
    const row = Object.hasOwn(contract, method) ? contract[method] : undefined;
    if (row === undefined && !method.startsWith("_")) throw new TypeError(`${method} is not in the contract.`);
    const incoming = row?.from === side ? row.notification : row;
    if (row !== undefined && (incoming === undefined || incoming.from === side)) {
      throw new TypeError(`${method} is sent by the ${side}, which cannot handle it.`);
    }
    const route: Route = { receive: receive as Route["receive"] };
    table.set(method, incoming?.params === undefined ? route : { ...route, params: incoming.params });
  }
  return (method) => table.get(method);
}

/** Call that was received. Only requests can be aborted. */
export class ReceivedCall<M extends RequestMessage | NotificationMessage> implements InboundCall {
  readonly message: M;
  readonly bytes: number;
  #after: ((room: Room) => void)[] | undefined;
  #controller: AbortController | undefined;
  #abortion: { readonly reason: unknown } | undefined;
  #onAbort: (() => void)[] | undefined;

  constructor(message: M, bytes: number) {
    this.message = message;
    this.bytes = bytes;
  }

  // The signal is created when it is first read, because most calls end without a cancel.
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortion !== undefined) this.#controller.abort(this.#abortion.reason);
    }
    return this.#controller.signal;
  }

  get isCancelled(): boolean {
    return this.#abortion !== undefined;
  }

  onAbort(then: () => void): void {
    this.#onAbort ??= [];
    this.#onAbort.push(then);
  }

  afterResponse(then: (room: Room) => void): void {
    this.#after ??= [];
    this.#after.push(then);
  }

  abort(reason: unknown): void {
    if (this.#abortion !== undefined) return;
    this.#abortion = { reason };
    for (const then of this.#onAbort ?? []) then();
    this.#controller?.abort(reason);
  }

  /** Runs the functions that were passed to {@link afterResponse}. */
  done(room?: Room): void {
    const after = this.#after;
    if (after === undefined) return;
    this.#after = undefined;
    for (const then of after) then(room);
  }
}
