import type { BudgetLimits } from "./budget.js";
import type { CloseReason, Room } from "./channel.js";
import type { Lane } from "./lane.js";
import type { RequestOptions } from "./pending-requests.js";
import type { Contract, Route } from "./routes.js";

/**
 * An event for the log that no failed call reports. It names methods, codes and keys. It never contains params, results
 * or error data, which may hold secrets.
 */
// V1-RPC-24
export type Diagnostic = {
  readonly code:
    | "invalid_line"
    | "invalid_message"
    | "unknown_response"
    | "dropped"
    | "too_many_requests"
    | "listener_failed"
    | "handler_failed"
    | "unused_option"
    | "unanswered"
    | "unfinished"
    | "listener_stuck"
    | "notification_failed"
    | "outgoing_invalid"
    | "log_failed"
    | "loss";
  /** One sentence: the event, and how it was handled. */
  readonly message: string;
  readonly method?: string;
  readonly sessionId?: string;
  readonly error?: unknown;
};

/** Bounds of a connection. */
export type ConnectionLimits = BudgetLimits & {
  /**
   * Open requests of this side. One more fails at once with `too_many_requests`.
   *
   * @defaultValue 10 000
   */
  readonly outgoingRequests: number;
  /**
   * Open requests of the peer. One more is answered with `-32603` at receipt. A request that came without an id counts
   * until its route settles. One more of its method is dropped, and the first of a burst reported as
   * `too_many_requests`.
   *
   * @defaultValue 10 000
   */
  readonly incomingRequests: number;
};

/** Options of a connection. */
export type ConnectionOptions = {
  /** Initial value of {@link Connection.route}. */
  readonly route?: (method: string) => Route | undefined;
  /**
   * Handling of lines that are not JSON.
   *
   * - `report` calls `onDiagnostic`. It suits a side that launched the other, whose libraries may print.
   * - `answer` also answers `-32700`.
   *
   * @defaultValue `report`
   */
  // V1-RPC-14
  readonly invalidLines?: "report" | "answer";
  /**
   * Handling of arrays of messages.
   *
   * - `refuse` answers the array once with `-32600`.
   * - `unpack`, for older peers, handles the entries one by one, and answers each request. It still refuses empty arrays,
   *   arrays in arrays and more than 1 000 entries.
   *
   * @defaultValue `refuse`
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Returns false if requests with the id `null` are to be answered with `-32600`. Called at the receipt of each.
   *
   * @defaultValue `null` is a valid id
   */
  readonly nullIds?: () => boolean;
  readonly limits?: Partial<ConnectionLimits>;
  /** Returns the contract that all outgoing messages are checked against. A fault is thrown at the caller. */
  readonly validateOutgoing?: () => Contract | undefined;
  /**
   * Receives diagnostics.
   *
   * @defaultValue `console.error` for mistakes of the program, each message once: failed listeners and handlers, options
   * without effect, questions that nobody answers, unfinished work. All other diagnostics are dropped.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/**
 * JSON-RPC over a channel. It matches answers to requests, runs routes at receipt, and keeps user code in order by lanes.
 * It knows no method but `$/cancel_request`.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Sends a request to the peer, and settles at receipt of the answer. There is no time limit: use `signal`.
   *
   * It rejects with an `RpcError` for an error answer, an `InvalidMessageError` for an invalid result, and a
   * `ConnectionClosedError` if the connection ends first.
   */
  request<R = unknown>(method: string, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Sends a notification to the peer. It never throws for a lost connection, and does nothing after close. */
  notify(method: string, params: object): Room;
  /** Returns the route of a method. Called for every call of the peer, so that routes can change after negotiation. */
  route: (method: string) => Route | undefined;
  /**
   * Holds all further calls of the peer, but not its answers. The returned function handles them in order. At the bounds
   * of the lanes, further notifications are dropped and requests refused. Both are reported.
   */
  hold(): () => void;
  /**
   * Opens the queue of user code for one session. `sessionId` names it in reports.
   *
   * A listener is awaited before the next item starts. While reading has stopped at the budget, or a request handler
   * waits behind the listener, the next items start beside it, in order, in two cases:
   *
   * - This side has an open request, send or expected end that began after the listener. The listener may wait for it.
   * - The listener has not finished for 2 to 4 s. `onDiagnostic` gets `listener_stuck`.
   *
   * In the second case, the listener is also passed if {@link Lane.settled} was called for a moment after its start.
   *
   * Ten times the budget of waiting items bounds the listeners that run beside earlier ones. While that bound holds items
   * up, it grows every 2 s, up to ten times itself.
   */
  openLane(sessionId?: string): Lane;
  /**
   * Registers an expected event of the peer that is not an answer, such as the end of a turn. It counts like an open
   * request for {@link openLane}. Call the returned function at its arrival.
   */
  expectEnd(): () => void;
  /**
   * Answers the peer's open requests with `-32800`, fires their signals, sends all waiting messages, and closes.
   *
   * Settles with `closed`, but waits at most 250 ms for listeners that were running at the call: one of them may await it.
   */
  close(): Promise<void>;
  /** Settles after open requests were rejected and the lanes have finished, or 5 s after the end. Never rejects. */
  readonly closed: Promise<CloseReason>;
}
