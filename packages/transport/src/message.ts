/**
 * Identifier of a request. Integers beyond 2^53, of up to 1 000 digits, are `bigint`s: answers repeat them digit by digit.
 * `1` and `"1"` are different ids. `null` is legal but discouraged.
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
