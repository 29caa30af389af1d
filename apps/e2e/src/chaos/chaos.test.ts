import { expect, it } from "vitest";
import { runChaos } from "./chaos.js";

it.runIf(process.platform === "linux")(
  "ten conversations with faults and deaths leave no orphan, no hang, and every turn that was acknowledged",
  async () => {
    const { findings, strays } = await runChaos({ conversations: 10, seed: 5, atOnce: 5 });
    expect(findings).toHaveLength(10);
    expect(strays).toEqual([]);
    expect(findings.filter(({ restored }) => restored).length).toBeGreaterThan(5);
    for (const { orphans, hangs, lost, failures } of findings) {
      expect({ orphans, hangs, lost, failures }).toEqual({ orphans: [], hangs: [], lost: [], failures: [] });
    }
  },
  120_000,
);
