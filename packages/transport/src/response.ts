import { InvalidMessageError, isAcpError, isErrorCode, isRpcError, RpcError, rpcErrorCode } from "./errors.js";
import type { RequestId, ResponseMessage } from "./message.js";

/** Returns true if an object without a method looks like an answer. Answers are never answered. */
// V1-RPC-14
export function isResponse(message: object): boolean {
  return "id" in message || "result" in message || "error" in message;
}

/** Creates the answer to a call that failed with `error`. `cancelled`: the peer has cancelled it. */
// V1-RPC-16
export function respondError(id: RequestId, error: unknown, cancelled = false): ResponseMessage {
  const { code, message, data } = toRpcError(error, cancelled);
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** Turns an `InvalidMessageError` about params into the error for the peer, with path and message of each issue. */
export function refuseParams(error: unknown): unknown {
  if (!(error instanceof InvalidMessageError)) return error;
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return new RpcError(rpcErrorCode.invalidParams, `Invalid params: ${error.message}`, { issues });
}

/**
 * Turns an error into the one that the peer receives.
 *
 * - An `RpcError` stays as it is.
 * - Any error of a call that the peer cancelled (`cancelled`), or of a request that this side aborted, becomes `-32800`.
 * - Any other error becomes an internal error.
 */
export function toRpcError(error: unknown, cancelled = false): RpcError {
  if (isRpcError(error) && isErrorCode(error.code)) return error;
  if (cancelled || isAcpError(error, "aborted")) return RpcError.requestCancelled();
  return RpcError.internalError(error instanceof Error ? error.message : "a handler failed");
}
