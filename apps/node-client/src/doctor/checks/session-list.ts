import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const sessionList: Check = {
  id: "session-list",
  title: "lists its sessions as promised",
  look({ list }) {
    if (list === undefined) return "untested";
    const failure = failureOf(list);
    if (failure === undefined) return undefined;
    return {
      severity: "problem",
      seen: `session/list is promised, and fails: ${failure}`,
      advice: "Answer with the sessions, none if need be, or do not announce the capability.",
    };
  },
};
