import type { Check } from "../check.js";
import { failureOf, resultOf } from "../evidence.js";

export const restoreUnknown: Check = {
  id: "restore-unknown",
  title: "does not bring back sessions that never were",
  look({ restoreUnknown: outcome }) {
    if (outcome === undefined) return "untested";
    const failure = failureOf(outcome);
    if (failure === undefined && resultOf(outcome) === false) return undefined;
    return {
      severity: "problem",
      seen: failure ?? "a session with an invented id was brought back",
      advice: "Refuse with -32002: else a person goes on in an empty session and takes it for the old one.",
    };
  },
};
