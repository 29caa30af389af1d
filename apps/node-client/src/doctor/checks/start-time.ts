import type { Check } from "../check.js";
import { seconds } from "../evidence.js";

/** In milliseconds. People look at an empty window meanwhile. */
const SLOW = 5000;

export const startTime: Check = {
  id: "start-time",
  title: "starts soon",
  look({ start }) {
    if (start?.status !== "done") return "untested";
    if (start.ms <= SLOW) return undefined;
    return {
      severity: "hint",
      seen: `${seconds(start.ms)} from its start to the answer to initialize`,
      advice:
        "Answer initialize first and load models, indexes and servers afterwards. A package runner adds its own time.",
    };
  },
};
