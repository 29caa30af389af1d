import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const sessionClose: Check = {
  id: "session-close",
  title: "closes a session as promised",
  look({ closeSession }) {
    if (closeSession === undefined) return "untested";
    const failure = failureOf(closeSession);
    if (failure === undefined) return undefined;
    return {
      severity: "problem",
      seen: `session/close is promised, and fails: ${failure}`,
      advice: "End the session's work and answer, or do not announce the capability.",
    };
  },
};
