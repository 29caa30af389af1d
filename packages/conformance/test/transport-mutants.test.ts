import { listen } from "@turnkit/remote/node";
import { createRemoteServer, type RemoteServer } from "@turnkit/remote/server";
import { createByteStreamChannel } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import { runTransportChecks, transportChecks } from "../src/node/remote/run-transport-checks.js";
import { correctAgent } from "./model/model-sessions.js";
import { type TransportMutant, transportMutants } from "./transport-mutants/transport-mutants.js";

/** Runs the checks against turnkit's server, perhaps with a fault, in front of the model agent. */
async function failedBy(mutant?: TransportMutant) {
  const server = createRemoteServer({
    open: () => createByteStreamChannel(correctAgent("v1").pipe),
  });
  const wrapped: RemoteServer = mutant === undefined ? server : mutant.wrap(server);
  const port = await listen(wrapped, { limits: { closeMs: 20 } });
  try {
    const results = await runTransportChecks(new URL(port.url.replace(/^ws/, "http")), {
      // Five servers share this process, so an answer may take a while.
      timeoutMs: 2000,
      cwd: "/work",
    });
    return results.filter(({ status }) => status !== "passed" && status !== "skipped");
  } finally {
    await port.close();
  }
}

describe("CONF-09, CONF-13: a fault of a server fails its check, and no unrelated one", { timeout: 60_000 }, () => {
  it("belongs to each check", () => {
    const known = new Set(transportMutants.map(({ check }) => check));
    expect(transportChecks.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
    expect(transportChecks.length).toBeGreaterThanOrEqual(40);
  });

  it("CONF-13: a correct server passes", async () => {
    const failed = await failedBy();
    expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  });

  it.concurrent.each(transportMutants.map((mutant) => [mutant.check, mutant.what, mutant] as const))(
    "%s: a server that %s",
    async (_id, _what, mutant) => {
      const failed = await failedBy(mutant);
      const received = failed.map(({ id, reason }) => `${id}: ${reason}`).join("\n");
      expect(failed.map(({ id }) => id).sort(), received).toEqual([mutant.check, ...(mutant.also ?? [])].sort());
    },
  );
});
