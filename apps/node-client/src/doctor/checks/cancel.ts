import type { Check } from "../check.js";
import { failureOf, resultOf, seconds } from "../evidence.js";

/** An end that comes sooner, in milliseconds, may have crossed the cancel on the wire: it proves nothing. */
const CROSSING = 1000;

export const cancel: Check = {
  id: "cancel",
  title: "stops when it is told to",
  look({ cancel: outcome }) {
    if (outcome?.afterCancelMs === undefined) return "untested";
    const advice =
      "After session/cancel stop the model and the tools, and end the turn with the stop reason cancelled.";
    const problem = (seen: string) => ({ severity: "problem", seen, advice }) as const;
    const failure = failureOf(outcome);
    if (failure !== undefined) return problem(`after session/cancel: ${failure}`);
    const end = resultOf(outcome);
    if (end?.error !== undefined) return problem(`the cancelled turn ended with an error: ${end.error.message}`);
    if (end?.stopReason === "cancelled") return undefined;
    if (outcome.afterCancelMs < CROSSING) return "untested";
    const when = seconds(outcome.afterCancelMs);
    return problem(`the turn went on for ${when} after session/cancel and ended as ${String(end?.stopReason)}`);
  },
};
