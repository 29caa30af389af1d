import { jsonCopy } from "@turnkit/session/codec";
import { RpcError, rpcErrorCode, toRpcError } from "@turnkit/transport";
import type { TurnEnd } from "./prompt-job.js";

type Report = (message: string, error: unknown) => void;

/**
 * A copy of an end that can be stored and sent in every dialect. A `usage`, or an error's `data`, that is no JSON is left
 * out. Where reading the `usage` throws, the turn fails, unless it was cancelled. All of that is reported.
 */
export function sendableEnd(end: TurnEnd, report: Report): TurnEnd {
  if ("error" in end) return sendableError(end, report);
  if (typeof end.stopReason !== "string") return { error: RpcError.internalError("the stop reason is no text") };
  if (end.usage === undefined) return end;
  let copy: TurnEnd;
  try {
    copy = jsonCopy(end);
  } catch (error) {
    report("The usage of a turn could not be read.", error);
    return end.stopReason === "cancelled" ? bareEnd(end) : sendableError({ error }, report);
  }
  try {
    JSON.stringify(copy);
    return copy;
  } catch (error) {
    report("The usage of a turn was left out: it is no JSON.", error);
    return bareEnd(end);
  }
}

/** An end without what an agent added to it. Never throws. */
export function bareEnd(end: TurnEnd): TurnEnd {
  if (!("error" in end)) return { stopReason: end.stopReason };
  return { error: new RpcError(codeOf(end.error), "The turn failed with an error that cannot be sent") };
}

function sendableError(end: TurnEnd & { readonly error: unknown }, report: Report): TurnEnd {
  try {
    const { code, message, data } = toRpcError(end.error);
    JSON.stringify([code, message, data]);
    return end;
  } catch (fault) {
    report("The error of a turn was left out: it is no JSON.", fault);
    return bareEnd(end);
  }
}

function codeOf(error: unknown): number {
  try {
    return toRpcError(error).code;
  } catch {
    // Its getters throw, which was reported.
    return rpcErrorCode.internalError;
  }
}
