import type { BudgetLimits } from "./budget.js";
import type { CloseReason, Room } from "./channel.js";
import type { Lane } from "./lane.js";
import type { RequestOptions } from "./pending-requests.js";
import type { Contract, Route } from "./routes.js";

/**
 * A fault that no failed call reports, for a log. It names methods, codes and keys. It never contains params, results
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
    | "late_change"
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
   * Maximum number of open requests of this side. A further one fails at once with `too_many_requests`.
   *
   * @defaultValue 10 000
   */
  readonly outgoingRequests: number;
  /**
   * Maximum number of open requests of the peer. A further one is answered with `-32603` at receipt. A request that was
   * sent without an id counts until its route settles. A further one is dropped, and the first of a burst is reported
   * as `too_many_requests`.
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
   * - `report` calls `onDiagnostic`. Use it if this side launched the other, whose libraries may print to stdout.
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
  /** Returns the contract to check all outgoing messages against. Sending an invalid message throws. */
  readonly validateOutgoing?: () => Contract | undefined;
  /**
   * Receives diagnostics.
   *
   * @defaultValue `console.error` for mistakes of the program, each message once: failed listeners and handlers,
   *   options without effect, unanswered questions, unfinished work. All other diagnostics are dropped.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/**
 * JSON-RPC over a channel. It matches answers to requests, runs routes at receipt, and runs user code in order by
 * lanes. It handles no method itself except `$/cancel_request`.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Sends a request to the peer, and settles at receipt of the answer. There is no time limit; use `signal` for one.
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
   * Keeps all further calls of the peer until the returned function is called, which handles them in order. Answers are
   * not kept. Above the bounds of the lanes, notifications are dropped and requests are refused. Both are reported.
   */
  hold(): () => void;
  /**
   * Opens the queue of user code for one session. `sessionId` names it in reports.
   *
   * An item starts when the listener before it has finished. Two exceptions prevent deadlocks. They apply while reading
   * has stopped at the budget, or a request handler waits for the listener. The next items then start in order,
   * although the listener still runs, in these cases:
   *
   * - This side has an open request, send or expected end that began after the listener. The listener may be waiting
   *   for it.
   * - The listener has not finished for 2 to 4 s. `onDiagnostic` gets `listener_stuck`.
   *
   * The second exception also applies if a call of {@link Lane.settled} waits with an `after` later than the listener's
   * start.
   *
   * The listeners that started by an exception are bounded by ten times the budget of waiting items. While this bound
   * delays items, it grows every 2 s, up to ten times its first value.
   */
  openLane(sessionId?: string): Lane;
  /**
   * Registers an expected event of the peer that is not an answer, such as the end of a turn. It counts like an open
   * request for {@link openLane}. Call the returned function when the event arrives.
   */
  expectEnd(): () => void;
  /**
   * Answers the peer's open requests with `-32800`, fires their signals, sends all waiting messages, and closes.
   *
   * Settles with `closed`, but waits at most 250 ms for listeners that were running at the call, since one of them may
   * await `close`.
   */
  close(): Promise<void>;
  /** Settles after open requests were rejected and the lanes have finished, or 5 s after the end. Never rejects. */
  readonly closed: Promise<CloseReason>;
}
