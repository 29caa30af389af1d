import type { Check } from "../check.js";
import { failureOf, resultOf } from "../evidence.js";

export const cancel: Check = {
  id: "cancel",
  title: "stops when it is told to",
  look({ cancel: outcome }) {
    // Over before it could be cancelled: nothing is known.
    if (outcome === undefined || !outcome.sent) return "untested";
    const advice =
      "After session/cancel stop the model and the tools, and end the turn with the stop reason cancelled.";
    const failure = failureOf(outcome);
    if (failure !== undefined) return { severity: "problem", seen: `after session/cancel: ${failure}`, advice };
    const end = resultOf(outcome);
    if (end?.error !== undefined) {
      return { severity: "problem", seen: `the cancelled turn ended with an error: ${end.error.message}`, advice };
    }
    // The two may cross on the wire: an end that is not "cancelled" is no proof.
    if (end?.stopReason === "cancelled") return undefined;
    return {
      severity: "hint",
      seen: `the cancelled turn ended with the stop reason ${String(end?.stopReason)}`,
      advice,
    };
  },
};
