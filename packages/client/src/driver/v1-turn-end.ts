import type { SessionEvent } from "@turnkit/session";
import { isRpcError, rpcErrorCode, toRpcError } from "@turnkit/transport";
import type { TurnEnd } from "../turn.js";

/** What a turn whose prompt failed is for its session, and for who waits for it. */
export type FailedTurn = {
  readonly event: Pick<SessionEvent & { type: "turn_ended" }, "stopReason" | "error">;
  readonly end: TurnEnd | { readonly failure: unknown };
};

/** An error that the agent answered with is an end; one of this side is a failure. */
export function endOf(failure: unknown): FailedTurn {
  // No failure to show (V1-ERR-04), although a cancelled prompt should not end so (V1-CANCEL-07).
  if (isRpcError(failure, rpcErrorCode.requestCancelled)) {
    return { event: { stopReason: "cancelled" }, end: { stopReason: "cancelled", confirmed: true } };
  }
  const { code, message, data } = toRpcError(failure);
  const error = { code, message, ...(data !== undefined && { data }) };
  const end: FailedTurn["end"] = isRpcError(failure) ? { stopReason: "error", error, confirmed: true } : { failure };
  return { event: { stopReason: "error", error }, end };
}
