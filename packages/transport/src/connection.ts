import type { BudgetLimits } from "./budget.js";
import type { CloseReason, Room } from "./channel.js";
import type { Lane } from "./lane.js";
import type { RequestOptions } from "./pending-requests.js";
import type { Contract, Route } from "./routes.js";

/**
 * Fault that no failed call reports. Diagnostics are for logs. A diagnostic contains names of methods, codes and keys.
 * It never contains params, results or error data, because these may contain secrets.
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
    | "withheld_variable"
    | "agent_report"
    | "agent_stderr"
    | "unanswered"
    | "unfinished"
    | "connection_lost"
    | "reconnecting"
    | "late_loop"
    | "late_update"
    | "unhandled"
    | "late_change"
    | "listener_stuck"
    | "notification_failed"
    | "outgoing_invalid"
    | "log_failed"
    | "refused"
    | "loss";
  /** One sentence with the event and its consequence. */
  readonly message: string;
  readonly method?: string;
  readonly sessionId?: string;
  readonly error?: unknown;
};

/** Bounds of a connection. */
export type ConnectionLimits = BudgetLimits & {
  /**
   * Maximum number of open requests of this side. Further requests fail immediately with `too_many_requests`.
   *
   * @defaultValue 10 000
   */
  readonly outgoingRequests: number;
  /**
   * Maximum number of open requests of the peer. Further requests are answered with `-32603` at receipt. A method of a
   * request may also arrive as a notification. Such a message counts until its route settles. Further messages of this
   * kind are dropped. The first one of a burst is reported as `too_many_requests`.
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
   * - `report` calls `onDiagnostic`. Use this value if this side launched the other side, because libraries of that
   *   program may print to stdout.
   * - `answer` also sends an error answer with the code `-32700`.
   *
   * @defaultValue `report`
   */
  // V1-RPC-14
  readonly invalidLines?: "report" | "answer";
  /**
   * Handling of arrays of messages. No version of the protocol has them.
   *
   * - `refuse` sends one error answer with the code `-32600` for the array.
   * - `unpack` is for older peers. Each entry is handled as a message of its own, and each request is answered. Empty
   *   arrays, nested arrays and more than 1 000 entries are refused.
   *
   * @defaultValue `refuse`
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Returns `false` if a request with the id `null` is answered with `-32600`. The function is called for each such
   * request at its receipt.
   *
   * @defaultValue `null` is a valid id
   */
  readonly nullIds?: () => boolean;
  /**
   * Names of the custom methods that this side handles. If there are some, a custom notification that no route handles is
   * reported as `unhandled`, with the nearest name.
   */
  readonly customMethods?: readonly string[];
  /**
   * Names of the notifications of the protocol that this side handles. A notification with a similar name that no route
   * handles is reported as `unhandled`.
   */
  readonly notifications?: readonly string[];
  readonly limits?: Partial<ConnectionLimits>;
  /** Returns the contract that validates all outgoing messages. Sending an invalid message throws. */
  readonly validateOutgoing?: () => Contract | undefined;
  /**
   * Receives diagnostics.
   *
   * @defaultValue a function that prints mistakes of this program with `console.error`, each message once. Mistakes are
   * failed listeners and handlers, options without effect, unanswered questions, and unfinished work. It also prints the
   * first message of each kind that is lost by a fault of the peer.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/**
 * JSON-RPC over a channel. A connection matches answers with requests, runs routes at receipt, and runs user code in
 * the order of lanes. The only method that it handles itself is `$/cancel_request`.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Sends a request to the peer. The promise settles at receipt of the answer. There is no time limit; use `signal` for
   * one.
   *
   * The promise rejects with:
   * - an `RpcError` for an error answer;
   * - an `InvalidMessageError` for an invalid result;
   * - a `ConnectionClosedError` if the connection ends first.
   */
  request<R = unknown>(method: string, params: object, options?: RequestOptions<R>): Promise<R>;
  /**
   * Sends a notification to the peer. After the connection is lost or closed, the notification is dropped without an
   * error.
   */
  notify(method: string, params: object): Room;
  /**
   * Returns the route of a method. The connection calls it for every call of the peer, so routes can change after the
   * negotiation.
   */
  route: (method: string) => Route | undefined;
  /**
   * Delays all further calls of the peer. Call the returned function to handle the delayed calls in order. Answers are
   * not delayed. Above the bounds of the lanes, notifications are dropped and requests are refused. Both cases are
   * reported.
   *
   * @param except method whose calls are not delayed
   */
  hold(except?: string): () => void;
  /**
   * Opens the queue of user code for one session. Reports contain the `sessionId`.
   *
   * An item starts when the listener before it has finished. Two exceptions prevent deadlocks. They apply while reading
   * has stopped at the budget, or while a request handler waits for the listener. In both cases below, the next items
   * start in order, although the listener still runs:
   *
   * - This side has an open request, send or expected end that began after the listener. The listener may be waiting
   *   for it.
   * - The listener has run for 2 to 4 s. `onDiagnostic` gets `listener_stuck`.
   *
   * The second exception also applies while a call of {@link Lane.settled} waits whose `after` is later than the start
   * of the listener.
   *
   * The number of listeners that start by these exceptions is bounded by ten times the budget of waiting items. While
   * this bound delays items, the bound grows every 2 s, up to ten times its first value.
   */
  openLane(sessionId?: string): Lane;
  /**
   * Registers an expected event of the peer that is not an answer, such as the end of a turn. {@link openLane} treats
   * the event like the answer to an open request. Call the returned function when the event arrives.
   */
  expectEnd(): () => void;
  /**
   * Closes the connection in these steps:
   * - the peer's open requests are answered with `-32800`, and their signals abort;
   * - all waiting messages are sent;
   * - the channel closes.
   *
   * The promise settles with `closed`. It waits at most 250 ms for listeners that were running at the call, because one
   * of them may wait for `close`.
   */
  close(): Promise<void>;
  /**
   * Settles when open requests are rejected and the lanes have finished, at the latest 5 s after the end. Never
   * rejects.
   */
  readonly closed: Promise<CloseReason>;
}
