import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertPassed, runAgentChecks, runClientChecks } from "@turnkit/conformance";
import { commandAgent, commandClient } from "@turnkit/conformance/node";
import { expect, it } from "vitest";
import { sdkAgents, sdkClients } from "../matrix/sdk-peers.js";

it("CONF-10: an agent of the official SDK passes the quick checks, and may fail a turn whose question failed", {
  timeout: 120_000,
}, async () => {
  const { command, prompts } = sdkAgents[0];
  const options = { prompts, cwd: "/", jobs: 4 } as const;
  const report = await runAgentChecks(commandAgent(command), { ...options, suite: "quick" });
  assertPassed(report);
  expect(report.counts.passed).toBeGreaterThan(40);
  assertPassed(await runAgentChecks(commandAgent(command), { ...options, only: ["TK-PERM-07"] }));
});

it("CONF-10: a client of the official SDK passes the checks of an ordinary turn", { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sdk-client-"));
  try {
    const only = ["TKC-INIT-01", "TKC-PROMPT-01", "TKC-ORDER-01", "TKC-MSG-05", "TKC-END-11"];
    const report = await runClientChecks(commandClient(sdkClients[1], { folder }), { only, jobs: 2 });
    assertPassed(report);
    expect(report.counts.passed).toBeGreaterThanOrEqual(4);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});
