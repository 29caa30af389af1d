import { type Check, counted } from "../check.js";

export const finishedToolCalls: Check = {
  id: "finished-tool-calls",
  title: "finishes its tool calls",
  look({ turn }) {
    if (turn?.status !== "done") return "untested";
    if (turn.unfinished.length === 0) return undefined;
    return {
      severity: "hint",
      seen: counted(
        turn.unfinished,
        "tool call without a final status at the end of its turn",
        "tool calls without a final status at the end of their turn",
      ),
      advice: "Send completed or failed for every call before the turn ends: clients show it as running for ever.",
    };
  },
};
