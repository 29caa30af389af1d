import { isRpcError, rpcErrorCode } from "@turnkit/client";
import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const sessionList: Check = {
  id: "session-list",
  title: "lists its sessions as promised",
  look({ list }) {
    if (list === undefined) return "untested";
    const failure = failureOf(list);
    if (failure === undefined) return undefined;
    // Whoever is not logged in has no list yet.
    if (list.status === "failed" && isRpcError(list.error, rpcErrorCode.authRequired)) return "untested";
    return {
      severity: "problem",
      seen: `session/list is promised, and fails: ${failure}`,
      advice: "Answer with the sessions, none if need be, or do not announce the capability.",
    };
  },
};
