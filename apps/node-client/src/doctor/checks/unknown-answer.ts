import type { Check } from "../check.js";
import { saidNothing } from "../wire.js";

export const unknownAnswer: Check = {
  id: "unknown-answer",
  title: "answers what was asked, once",
  look(evidence) {
    if (saidNothing(evidence)) return "untested";
    const { diagnostics } = evidence;
    const count = diagnostics.filter(({ code }) => code === "unknown_response").length;
    if (count === 0) return undefined;
    return {
      severity: "problem",
      seen: `${count === 1 ? "one answer" : `${count} answers`} to no open request`,
      advice: "Answer each request once, with its own id in its own type, and notifications not at all.",
    };
  },
};
