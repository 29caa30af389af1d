import { describe, expect, it } from "vitest";
import { runAgentChecks } from "../src/agent/run-agent-checks.js";
import { correctAgent } from "./model/model-sessions.js";

describe("a correct agent", () => {
  it.each([1, 2, "seed"] as const)("CONF-02: passes every check of protocol %s", async (protocol) => {
    const dialect = protocol === "seed" ? "seed" : (`v${protocol}` as const);
    const report = await runAgentChecks(() => correctAgent(dialect).pipe, { protocol, timeoutMs: 300, cwd: "/work" });
    // The model agent takes no audio. It has only one option of the type select. In version 2, it accepts every prompt at
    // once. No turn ends as an error.
    const other = [
      "ACP-PROMPTCAP-002",
      "TK-CONFIG-08",
      "TK-CONFIG-09",
      "TK-CANCEL-11",
      ...(protocol === 2 ? ["TK-CANCEL-12", "TK-STATE-04"] : []),
    ];
    const wrong = report.checks.filter(({ id, status }) => status !== "passed" && !other.includes(id));
    expect(wrong.map(({ id, status, reason }) => `${id} ${status}: ${reason}`)).toEqual([]);
    expect(report.verdict).toBe("passed");
  });
});
