import { describe, expect, it } from "vitest";
import { clientChecks } from "../src/client/client-checks.js";
import { runClientChecks } from "../src/client/run-client-checks.js";
import { type ClientMutant, clientMutants } from "./client-mutants/client-mutants.js";
import { correctClient } from "./model/model-client-turn.js";

const protocols = { v1: 1, v2: 2, seed: "seed" } as const;

async function failedBy({ dialect = "v1", alter }: ClientMutant) {
  return runClientChecks(
    (task) => {
      const client = correctClient(dialect, task);
      alter(client);
      return client.pipe;
    },
    { protocol: protocols[dialect], timeoutMs: 80 },
  );
}

// A mutant that never ends lets each scene wait.
describe("CONF-09: a mutant of a client fails its check, and no unrelated one", { timeout: 120_000 }, () => {
  it("belongs to each check", () => {
    const known = new Set(clientMutants.map(({ check }) => check));
    expect(clientChecks.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  it.concurrent.each(
    clientMutants.map((mutant) => [mutant.check, mutant.dialect ?? "v1", mutant.what, mutant] as const),
  )("%s (%s): a client that %s", async (_id, _dialect, _what, mutant) => {
    const { checks } = await failedBy(mutant);
    const failed = checks.filter(({ status }) => status === "failed" || status === "error");
    const received = failed.map(({ id, reason }) => `${id}: ${reason}`).join("\n");
    expect(failed.map(({ id }) => id).sort(), received).toEqual([mutant.check, ...(mutant.also ?? [])].sort());
  });
});
