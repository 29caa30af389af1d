import { isRpcError, rpcErrorCode } from "@turnkit/client";
import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const unknownMethod: Check = {
  id: "unknown-method",
  title: "refuses methods that it does not have",
  look({ unknownMethod: outcome }) {
    if (outcome === undefined) return "untested";
    if (outcome.status === "failed" && isRpcError(outcome.error, rpcErrorCode.methodNotFound)) return undefined;
    return {
      severity: "problem",
      seen: `to the request _turnkit/doctor: ${failureOf(outcome) ?? "a result"}`,
      advice:
        "Answer a request of an unknown method with the error -32601, so that clients can find out what you know.",
    };
  },
};
