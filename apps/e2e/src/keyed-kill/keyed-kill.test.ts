import { expect, test } from "vitest";
import { killPrompts } from "./killed-prompts.js";

test("P-IDEM-04, P-IDEM-07, P-IDEM-09: an agent killed during a prompt has it once, and answers a retry with the first id", async () => {
  expect(await killPrompts(8)).toEqual({ kills: 8, miscounted: [], renamed: [] });
}, 60_000);
