import { describe, expect, it } from "vitest";
import { runClientChecks } from "../src/client/run-client-checks.js";
import { correctClient } from "./model/model-client-turn.js";

describe("a correct client", () => {
  it.each([1, 2, "seed"] as const)("CONF-08: passes every check of protocol %s", async (protocol) => {
    const dialect = protocol === "seed" ? "seed" : (`v${protocol}` as const);
    const report = await runClientChecks((task) => correctClient(dialect, task).pipe, { protocol, timeoutMs: 300 });
    // These are about clients that offer less.
    const others = ["TKC-FS-11", "TKC-TERM-10", "TKC-FORM-07"];
    const wrong = report.checks.filter(({ id, status }) => status !== "passed" && !others.includes(id));
    expect(wrong.map(({ id, status, reason }) => `${id} ${status}: ${reason}`)).toEqual([]);
    expect(report.verdict).toBe("passed");
  });
});
