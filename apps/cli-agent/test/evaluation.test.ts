import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { evaluatePackages, evaluatePlanted, offlineReason } from "./evaluation.js";

const results = await readFile(new URL("../evaluation/RESULTS.md", import.meta.url), "utf8");
const reason = await offlineReason();

describe("the evaluation of the offline reviewer", () => {
  it("has the committed table of planted mistakes: found, missed and false", async () => {
    expect(results).toContain(await evaluatePlanted());
  }, 120_000);

  const title = "has the committed findings in two published packages";
  it.skipIf(reason !== undefined)(
    reason === undefined ? title : `${title} (skipped: ${reason})`,
    async () => {
      expect(results).toContain(`\`\`\`\n${await evaluatePackages()}\n\`\`\``);
    },
    120_000,
  );
});
