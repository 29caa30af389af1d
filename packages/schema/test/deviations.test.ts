import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deviations } from "../src/index.js";

describe("deviations", () => {
  it.each(deviations)("$id has a test", ({ test, requirement }) => {
    const [file, title] = test.split(": ");
    const source = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
    expect(source).toContain(`it("${title}"`);
    expect(requirement).toMatch(/^V\d-[A-Z]+-\d\d$/);
  });

  it("have different names", () => {
    expect(new Set(deviations.map(({ id }) => id)).size).toBe(deviations.length);
  });
});
