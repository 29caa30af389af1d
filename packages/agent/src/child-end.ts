import type { StopReason } from "@turnkit/session";
import { isAcpError, isRpcError, RpcError, readThrown, textOf, unknownOptions } from "@turnkit/transport";
import { type HandlerReport, knownReason } from "./turn-end.js";

type ReadEnd = { readonly stopReason: StopReason; readonly error?: unknown };

const IDLE = "idle() of a child session";
const MEMBERS = { known: { stopReason: true, error: true } };

/** Returns the end for the argument of `idle`. Reports values that only callers in JavaScript can pass. */
export function childEnd(given: unknown, report: HandlerReport): ReadEnd {
  const mistake = (what: string): void => report(what, undefined, "handler_failed");
  if (given == null) return { stopReason: "end_turn" };
  if (typeof given === "string") return { stopReason: knownReason(given as StopReason, `${IDLE} got`, report) };
  if (isFailure(given)) return { stopReason: "error", error: failureOf(given, report) };
  if (typeof given !== "object" || Array.isArray(given)) {
    mistake(`${IDLE} got a value that is neither a stop reason nor an object. It was left out.`);
    return { stopReason: "end_turn" };
  }
  for (const message of unknownOptions(IDLE, given, MEMBERS)) mistake(message);
  const { error, stopReason = error == null ? "end_turn" : "error" } = given as Partial<ReadEnd>;
  if (typeof stopReason !== "string") {
    mistake(`${IDLE} got the stop reason ${String(stopReason)}, which is not text. It was left out.`);
    return childEnd({ error }, report);
  }
  const reason = knownReason(stopReason, `${IDLE} got`, report);
  return error == null ? { stopReason: reason } : { stopReason: reason, error: failureOf(error, report) };
}

const isFailure = (value: unknown): boolean => value instanceof Error || isRpcError(value) || isAcpError(value);

/** Returns an error that can be sent. Reports every error except `RpcError`, `AcpError` and error objects. */
function failureOf(given: unknown, report: HandlerReport): unknown {
  if (isRpcError(given) || isAcpError(given)) return given;
  const { code, message, data } = given as Partial<RpcError>;
  if (!(given instanceof Error) && typeof code === "number" && typeof message === "string")
    return new RpcError(code, message, data);
  const error = readThrown(given);
  report(`The work of a child session failed: ${textOf(error)}`, error, "handler_failed");
  return RpcError.internalError(textOf(error));
}
