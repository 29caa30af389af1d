import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildFloodPrograms, type FloodPrograms, floodAgent, floodClient, strictCollector } from "./flood.js";

/** Largest memory of the process of either side, in MB. */
const mostMB = 120;

const conditions = { flags: strictCollector, stateBytes: 8 * 1024 * 1024 };

const flood = { dialect: "v1", updates: 120_000, bytes: 900 } as const;

let programs: FloodPrograms;
beforeAll(async () => {
  programs = await buildFloodPrograms();
});
afterAll(() => programs.remove());

// The long form, with a million updates, in every dialect and with V8's own flags: npx -y pnpm@10 flood
describe("120 000 updates of 1 kB into a slow listener", () => {
  it("make the agent wait, let the client keep less than 60 MB, and all arrive in order", async () => {
    const seen = await floodClient(programs, { ...flood, messages: 4_000 }, conditions);
    expect(seen).toMatchObject({ stopReason: "end_turn", received: 120_000, inOrder: true });
    expect(seen.stateBytes).toBeLessThanOrEqual(conditions.stateBytes);
    expect(seen.grownMB).toBeLessThan(60);
    expect(seen.peakMB).toBeLessThan(mostMB);
    expect(seen.agent.peakMB).toBeLessThan(mostMB);
    // The listener's budget (1 000) and what the pipes and their two ends hold (about 400 such messages).
    expect(seen.agent.waitedAt).toBeLessThan(2_000);
  }, 60_000);

  it("fill no state with a single message, whatever the state may hold", async () => {
    const seen = await floodClient(programs, { ...flood, messages: 1 }, { flags: strictCollector });
    expect(seen).toMatchObject({ stopReason: "end_turn", received: 120_000, inOrder: true });
    expect(seen.stateBytes).toBeLessThan(1.5 * 1024 * 1024);
    expect(seen.grownMB).toBeLessThan(60);
  }, 60_000);
});

describe("12 000 requests at once into an agent", () => {
  it("are kept open up to 10 000, the others refused, and the next good one is answered", async () => {
    const seen = await floodAgent(programs, { dialect: "v2", requests: 12_000 }, conditions);
    expect(seen).toMatchObject({ open: 10_000, refused: { "-32603": 2_000 }, good: true });
    // 100 prompts wait behind the first; as one ends there may be room for another.
    expect(seen.prompts["-32600"]).toBeGreaterThan(0);
    expect((seen.prompts["-32600"] ?? 0) + (seen.prompts.answered ?? 0) + (seen.prompts["-32603"] ?? 0)).toBe(1_000);
    expect(seen.peakMB).toBeLessThan(mostMB);
  }, 60_000);
});
