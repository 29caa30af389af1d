/**
 * What a request is known by. Integers beyond 2^53 are `bigint`s, so that they come back digit by digit; `1` and `"1"`
 * are two ids; `null` is legal and discouraged.
 */
export type RequestId = string | number | bigint | null;

/** A call that wants an answer. */
export type RequestMessage = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
};

/** A call without an answer. */
export type NotificationMessage = { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: unknown };

/** The error of a failed call, as it crosses the wire. */
export type RpcErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };

/** An answer: `result` or `error`. `id` is `null` where the question's id could not be read. */
export type ResponseMessage = { readonly jsonrpc: "2.0"; readonly id: RequestId } & (
  | { readonly result: unknown }
  | { readonly error: RpcErrorObject }
);

/** One JSON-RPC 2.0 message. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;
