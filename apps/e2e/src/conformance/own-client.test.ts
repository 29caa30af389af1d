import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertPassed, runClientChecks } from "@turnkit/conformance";
import { commandClient } from "@turnkit/conformance/node";
import { expect, it } from "vitest";
import { turnkit } from "../interop/programs.js";

it.each([1, 2, "seed"] as const)(
  "CONF-08, CONF-12: the terminal client passes the quick checks of clients in protocol %s",
  { timeout: 120_000 },
  async (protocol) => {
    const folder = await mkdtemp(join(tmpdir(), "own-client-"));
    const line = [...turnkit, "--protocol", String(protocol)].map((word) => `"${word}"`).join(" ");
    try {
      const open = commandClient(`${line} hello -- {agent}`, {
        folder,
        restore: `${line} --session {session} hello -- {agent}`,
      });
      const report = await runClientChecks(open, { protocol, suite: "quick", jobs: 2 });
      assertPassed(report);
      expect(report.counts.passed).toBeGreaterThanOrEqual(28);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  },
);
