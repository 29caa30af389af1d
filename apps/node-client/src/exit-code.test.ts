import { readFileSync } from "node:fs";
import type { StopReason } from "@turnkit/session";
import { expect, it } from "vitest";
import { exitCode, exitCodeOf } from "./exit-code.js";

it.each([
  ["end_turn", 0],
  ["_custom", 0],
  ["refusal", 3],
  ["max_tokens", 3],
  ["max_turn_requests", 3],
  ["cancelled", 130],
  ["error", 1],
])("a turn that ends with %s ends the program with %i", (stopReason, code) => {
  expect(exitCodeOf({ stopReason: stopReason as StopReason })).toBe(code);
});

it("an error decides, whatever the stop reason says", () => {
  expect(exitCodeOf({ stopReason: "end_turn", error: { code: -32603 } })).toBe(1);
});

it("a prompt that is refused for want of a login ends it like a session that is (V1-AUTH-09, V2-AUTH-10)", () => {
  expect(exitCodeOf({ stopReason: "error", error: { code: -32000 } })).toBe(4);
});

it("an end without a reason is an end", () => {
  expect(exitCodeOf({})).toBe(0);
});

it("the README lists the same codes", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const listed = [...readme.matchAll(/^\| (\d+) +\|/gm)].map((match) => Number(match[1]));
  expect(listed).toEqual(Object.values(exitCode));
});
