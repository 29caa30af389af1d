/**
 * Identifier of a request. Integers beyond 2^53 are `bigint`s of up to 1 000 digits, so that answers repeat every
 * digit. `1` and `"1"` are different ids. `null` is legal but discouraged.
 */
export type RequestId = string | number | bigint | null;

/** Maximum number of digits of an id. `BigInt()` takes more than linear time. */
export const MAX_ID_DIGITS = 1_000;

/** A call with an answer. */
export type RequestMessage = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
};

/** A call without an answer. */
export type NotificationMessage = { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: unknown };

/** The error of a failed call on the wire. */
export type RpcErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };

/** An answer: `result` or `error`. `id` is `null` if the id of the request could not be read. */
export type ResponseMessage = { readonly jsonrpc: "2.0"; readonly id: RequestId } & (
  | { readonly result: unknown }
  | { readonly error: RpcErrorObject }
);

/** One JSON-RPC 2.0 message. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/**
 * `undefined` if there is room to write. Otherwise, a promise that resolves when there is room or the channel closes.
 */
export type Room = Promise<void> | undefined;

/** The reason for the end of a channel. */
export type CloseReason = {
  /**
   * - `local`: this side closed the channel. If there is a `cause`, the receiver threw this error.
   * - `remote`: the other side closed the channel without an error.
   * - `exit`: the process of the other side ended.
   * - `frame`: a message broke the framing or its size limit.
   * - `overflow`: too many bytes waited to be written.
   * - `failed`: the connection itself failed.
   */
  readonly kind: "local" | "remote" | "exit" | "frame" | "overflow" | "failed";
  /** One sentence for people. */
  readonly message: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Last lines that a child process wrote to stderr. */
  readonly stderr?: string;
  readonly cause?: unknown;
};

/** Receiver of the messages of a channel. */
export interface Receiver {
  /**
   * Called synchronously, in wire order.
   *
   * @param message any JSON value; the receiver checks its shape
   * @param bytes size on the wire; an estimate if the channel has no wire
   */
  message(message: unknown, bytes: number): void;
  /**
   * Called for a line that cannot be parsed.
   *
   * @param sample at most the first 200 characters of the line
   * @param excess the bound that the line exceeds, and the remedy; absent for a line that is not JSON
   */
  invalidLine(sample: string, excess?: string): void;
}

/** A carrier of messages in both directions, with framing and backpressure. It does not match answers with requests. */
export interface Channel {
  /**
   * Begins to deliver messages to `receiver`. Deliveries are synchronous, in wire order, and before `closed` settles.
   *
   * @throws AcpError `state` if `start` was called before; the first receiver stays
   */
  start(receiver: Receiver): void;
  /**
   * Sends messages in the order of the calls. After close, messages are dropped. `send` never delivers a message to the
   * receiver before it returns.
   *
   * `send` throws only if the message cannot be sent:
   *
   * - a `TypeError` if the channel serialises messages and JSON cannot express this message, because it has a cycle, or
   *   a `bigint` that is not an id
   * - an `AcpError` `too_large` if the message is larger than the other side accepts
   */
  send(message: Message): Room;
  /** Stops delivery until `resume`. Messages that were already read also wait. */
  pause(): void;
  resume(): void;
  /** Sends all waiting messages, then closes. Settles with `closed`. Further calls have no effect. */
  close(reason?: CloseReason): Promise<void>;
  /** Settles after the last delivery. Never rejects. */
  readonly closed: Promise<CloseReason>;
}
