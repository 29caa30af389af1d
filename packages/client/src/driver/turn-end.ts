import type { ErrorObject, SessionEvent } from "@turnkit/session";
import { isRpcError, rpcErrorCode, toRpcError } from "@turnkit/transport";
import type { TurnEnd } from "../turn.js";

/** What a turn whose prompt failed is for its session, and for who waits for it. */
export type FailedTurn = {
  /** What the answer was, or what went wrong on this side. */
  readonly error: ErrorObject;
  readonly event: Pick<SessionEvent & { type: "turn_ended" }, "stopReason" | "error">;
  readonly end: TurnEnd | { readonly failure: unknown };
};

/** An error that the agent answered with is an end; one of this side is a failure. */
export function endOf(failure: unknown): FailedTurn {
  const { code, message, data } = toRpcError(failure);
  const error = { code, message, ...(data !== undefined && { data }) };
  // No failure to show (V1-ERR-04, V2-ERR-02), although a cancelled prompt of version 1 should not end so (V1-CANCEL-07).
  if (isRpcError(failure, rpcErrorCode.requestCancelled)) {
    return { error, event: { stopReason: "cancelled" }, end: { stopReason: "cancelled", agentConfirmed: true } };
  }
  const end: FailedTurn["end"] = isRpcError(failure)
    ? { stopReason: "error", error, agentConfirmed: true }
    : { failure };
  return { error, event: { stopReason: "error", error }, end };
}
