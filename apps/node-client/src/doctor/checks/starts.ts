import type { Check } from "../check.js";
import { failureOf } from "../evidence.js";

export const starts: Check = {
  id: "starts",
  title: "starts and agrees on a version",
  look({ start }) {
    const failure = failureOf(start);
    if (failure === undefined) return undefined;
    return {
      severity: "problem",
      seen: failure,
      advice:
        "Try the command in a shell: it must wait for JSON lines on stdin. Many agents need an argument such as --acp.",
    };
  },
};
