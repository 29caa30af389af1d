import type { Check } from "../check.js";
import { answerTo, wireOf } from "../wire.js";

export const agentInfo: Check = {
  id: "agent-info",
  title: "says its name and version",
  look(evidence) {
    const result = answerTo("initialize", evidence);
    if (result === undefined || evidence.start?.status !== "done") return "untested";
    const { agentInfo: older, info = older } = (wireOf(result).result ?? {}) as Record<string, unknown>;
    const { name, version } = (info ?? {}) as { readonly name?: unknown; readonly version?: unknown };
    if (typeof name === "string" && typeof version === "string") return undefined;
    return {
      severity: "hint",
      seen: info === undefined ? "no agentInfo in the answer to initialize" : "an agentInfo without name and version",
      advice: "Send agentInfo with name and version: clients show it, and version 2 of the protocol demands it.",
    };
  },
};
