import { expect, it } from "vitest";
import { fence } from "./markdown.js";

it("fences code whose runs of backticks are longer or very many", () => {
  expect(fence("a ```` b")).toBe("`````\na ```` b\n`````");
  expect(fence("`a".repeat(500_000)).slice(0, 5)).toBe("```\n`");
});
