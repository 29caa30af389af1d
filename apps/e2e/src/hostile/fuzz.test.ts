import type { DialectName } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import { agentTarget } from "./agent-target.js";
import { clientTarget } from "./client-target.js";
import { fuzz } from "./fuzz.js";

const dialects: readonly DialectName[] = ["v1", "v2", "seed"];
const lines = 3_000;

// The long form, with a million lines into each side and a look at the memory: npx -y pnpm@10 fuzz
describe("3 000 hostile lines leave no error uncaught, and every good request is answered", () => {
  test.each(dialects)("by our agent, which speaks %s", async (dialect) => {
    const done = await fuzz(() => agentTarget(dialect), { lines, seed: 7 });
    expect(done).toMatchObject({ lines, good: 6 });
    expect(done.reported).toBeGreaterThan(1_000);
  });

  test.each(dialects)("by our client, which speaks %s", async (dialect) => {
    const done = await fuzz(() => clientTarget(dialect), { lines, seed: 7 });
    expect(done).toMatchObject({ lines, good: 6 });
    expect(done.reported).toBeGreaterThan(1_000);
  });
});
