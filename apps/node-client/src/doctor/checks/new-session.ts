import { isRpcError, rpcErrorCode } from "@turnkit/client";
import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const newSession: Check = {
  id: "new-session",
  title: "opens a session",
  look({ newSession: outcome }) {
    if (outcome === undefined) return "untested";
    const failure = failureOf(outcome);
    if (failure === undefined) return undefined;
    if (outcome.status === "failed" && isRpcError(outcome.error, rpcErrorCode.authRequired)) return "untested";
    return {
      severity: "problem",
      seen: failure,
      advice:
        "session/new with a cwd and an empty mcpServers has to work in any folder. A missing login is the error -32000.",
    };
  },
};
