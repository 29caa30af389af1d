import type { BudgetLimits } from "./budget.js";
import type { CloseReason, Room } from "./channel.js";
import type { Diagnostic } from "./diagnostic.js";
import type { Lane } from "./lane.js";
import type { RequestOptions } from "./pending-requests.js";
import type { Contract, Route } from "./routes.js";

/** Bounds of a connection; each has a stated outcome. */
export type ConnectionLimits = BudgetLimits & {
  /** Our open requests; one more fails at once with `too_many_requests`. 10 000 unless said otherwise. */
  readonly outgoingRequests: number;
  /** The peer's open requests; one more is answered with `-32603` at receipt. 10 000 unless said otherwise. */
  readonly incomingRequests: number;
};

/** How a connection behaves. */
export type ConnectionOptions = {
  /** First value of {@link Connection.route}. */
  readonly route?: (method: string) => Route | undefined;
  /**
   * What to do with lines that are no JSON. `report` (the default) tells `onDiagnostic`: right for the side that
   * launched the other, whose libraries may print. `answer` also answers `-32700` (V1-RPC-14).
   */
  readonly invalidLines?: "report" | "answer";
  /**
   * What to do with an array of messages. `refuse` (the default) answers it once with `-32600` and looks at no entry.
   * `unpack` is for older peers: the entries are handled one after the other as if each had come alone, so every request
   * among them gets an answer of its own. An empty array, one inside another, and one of more than 1 000 entries are
   * refused all the same.
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Whether a request may have the id `null`, asked at the receipt of one; it may unless this says no. One that may not
   * is answered with `-32600` and not handled.
   */
  readonly nullIds?: () => boolean;
  readonly limits?: Partial<ConnectionLimits>;
  /** Checks what we send against these methods before it leaves; a fault is ours and is thrown at the caller. */
  readonly validateOutgoing?: () => Contract | undefined;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/**
 * Matches answers to questions over a channel, hands calls to routes at receipt, and keeps user code in order by lanes.
 * It knows no method but `$/cancel_request`.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Asks the peer. Settles at receipt of the answer: a peer's error as `RpcError`, a wrong result as
   * `InvalidMessageError`, a lost connection as `ConnectionClosedError`. There is no time limit: use `signal`.
   */
  request<R = unknown>(method: string, params: object, options?: RequestOptions<R>): Promise<R>;
  /** Tells the peer. Never throws for a lost connection; after close it does nothing. */
  notify(method: string, params: object): Room;
  /** Asked at the receipt of every call, so that routes may change with the negotiated dialect. */
  route: (method: string) => Route | undefined;
  /**
   * Keeps the peer's calls (not its answers) from now on, and handles them in order when the returned function is
   * called. Bounded like the lanes: beyond it calls are dropped or refused, and reported.
   */
  hold(): () => void;
  /**
   * Opens a queue for what user code hears about one session; `sessionId` names it in reports.
   *
   * A listener is awaited before the next item starts. There are two exceptions, while reading has stopped for what
   * waits in lanes or a request handler waits behind the listener:
   *
   * - A request, a send or an end expected of the peer was issued since the listener began, and is still open. The
   *   listener may wait for it, so what follows starts beside it, in order.
   * - The listener has not finished for 2 to 4 s. `onDiagnostic` gets `listener_stuck`, and what follows starts beside it.
   *
   * Listeners that run beside earlier ones are bounded by ten times the budget of what waits. While that holds something
   * up, the bound grows by itself every 2 s, ten times at most; beyond it nothing passes.
   */
  openLane(sessionId?: string): Lane;
  /**
   * Registers an expected event of the peer that is not an answer, such as the end of a turn. It counts like an open
   * request for {@link openLane}. Returns a function to call when it arrived.
   */
  expectEnd(): () => void;
  /**
   * Answers the peer's open requests with `-32800`, fires their signals, sends what waits, and closes. Settles as `closed`
   * does, but waits at most 250 ms for listeners that were running at the call: one of them may await it.
   */
  close(): Promise<void>;
  /** Settles last: after pending calls were rejected and the lanes told what had been received. Never rejects. */
  readonly closed: Promise<CloseReason>;
}
