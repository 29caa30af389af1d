import { describe, expect, it } from "vitest";
import { agentChecks } from "../src/agent/agent-checks.js";
import { runAgentChecks } from "../src/agent/run-agent-checks.js";
import { correctAgent } from "./model/model-sessions.js";
import { agentMutants } from "./mutants/agent-mutants.js";
import type { Mutant } from "./mutants/mutant.js";

const protocols = { v1: 1, v2: 2, seed: "seed" } as const;

async function failedBy({ dialect = "v1", alter }: Mutant) {
  const open = () => {
    const agent = correctAgent(dialect);
    alter(agent);
    return agent.pipe;
  };
  return runAgentChecks(open, { protocol: protocols[dialect], timeoutMs: 80, cwd: "/work" });
}

// A mutant that never ends lets each conversation wait.
describe("CONF-09: a mutant fails its check, and no unrelated one", { timeout: 300_000 }, () => {
  it("belongs to each check", () => {
    const known = new Set(agentMutants.map(({ check }) => check));
    expect(agentChecks.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  it.concurrent.each(
    agentMutants.map((mutant) => [mutant.check, mutant.dialect ?? "v1", mutant.what, mutant] as const),
  )("%s (%s): an agent that %s", async (_id, _dialect, _what, mutant) => {
    const { checks } = await failedBy(mutant);
    const failed = checks.filter(({ status }) => status === "failed" || status === "error");
    const wanted = [...(mutant.remark ? [] : [mutant.check]), ...(mutant.also ?? [])].sort();
    const received = failed.map(({ id, reason }) => `${id}: ${reason}`).join("\n");
    expect(failed.map(({ id }) => id).sort(), received).toEqual(wanted);
    if (mutant.remark) expect(checks.find(({ id }) => id === mutant.check)?.reason).toMatch(mutant.remark);
  });
});
