import { isRpcError, rpcErrorCode } from "@turnkit/client";
import type { Check } from "../check.js";
import { resultOf } from "../evidence.js";

export const login: Check = {
  id: "login",
  title: "offers a way to log in where it wants one",
  look({ start, newSession }) {
    if (newSession === undefined) return "untested";
    const wants = newSession.status === "failed" && isRpcError(newSession.error, rpcErrorCode.authRequired);
    if (!wants || (resultOf(start)?.authMethods.length ?? 0) > 0) return undefined;
    return {
      severity: "problem",
      seen: "it refuses a session for want of a login (-32000) and names no way to log in",
      advice: "List your logins as authMethods in the answer to initialize.",
    };
  },
};
