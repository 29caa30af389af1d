import {
  AcpError,
  InvalidMessageError,
  isAcpError,
  isErrorCode,
  isRpcError,
  RequestAbortedError,
  RpcError,
  rpcErrorCode,
} from "./errors.js";
import type { RequestId, ResponseMessage } from "./message.js";
import type { RequestSignal } from "./pending-requests.js";

/** Whether an object without a method means to be an answer; such are never answered themselves (V1-RPC-14). */
export function isResponse(message: object): boolean {
  return "id" in message || "result" in message || "error" in message;
}

/** The answer for a call that failed with `error`; an abort after the peer's cancel is `-32800` (V1-RPC-16). */
export function respondError(id: RequestId, error: unknown, cancelled = false): ResponseMessage {
  const { code, message, data } = toRpcError(error, cancelled);
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** What the peer is told about params that do not fit their method: where and why. */
export function refuseParams(error: unknown): unknown {
  if (!(error instanceof InvalidMessageError)) return error;
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return new RpcError(rpcErrorCode.invalidParams, `Invalid params: ${error.message}`, { issues });
}

/**
 * What the peer is told about an error: an `RpcError` as it is, work that was called off as `-32800` (`cancelled`: by the
 * peer; a call of ours that this side aborted: by us), anything else as an internal error.
 */
export function toRpcError(error: unknown, cancelled = false): RpcError {
  if (isRpcError(error) && isErrorCode(error.code)) return error;
  if (cancelled || isAcpError(error, "aborted")) return RpcError.requestCancelled();
  return RpcError.internalError(error instanceof Error ? error.message : "a handler failed");
}

/** Errors of a request that never left. */
export const requestError = {
  aborted: (method: string, signal: RequestSignal) => new RequestAbortedError(method, signal.reason),
  tooMany: (method: string, open: number) =>
    new AcpError("too_many_requests", `${method} was not sent: ${open} requests are open. Wait for some to end.`),
};
