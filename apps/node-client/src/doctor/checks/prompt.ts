import type { Check } from "../check.js";
import { failureOf, resultOf } from "../evidence.js";

export const prompt: Check = {
  id: "prompt",
  title: "answers a prompt with text and a link to a file",
  look({ turn }) {
    if (turn === undefined) return "untested";
    const end = resultOf(turn);
    const failure = failureOf(turn) ?? (end?.error && `${end.error.message} (code ${end.error.code})`);
    if (failure !== undefined) {
      return {
        severity: "problem",
        seen: failure,
        advice:
          "Text and resource links are the content that every agent has to take. See the agent's stderr and its settings.",
      };
    }
    if (turn.updates > 0) return undefined;
    return {
      severity: "hint",
      seen: "a turn without a single update",
      advice: "Say something: people see an empty answer.",
    };
  },
};
