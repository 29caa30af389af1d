import { expect, it } from "vitest";
import { readDuration } from "./duration.js";

it.each([
  ["90", 90_000],
  ["90s", 90_000],
  ["1.5m", 90_000],
  ["2h", 7_200_000],
  ["500ms", 500],
])("%s is %i ms", (text, ms) => {
  expect(readDuration("--timeout", text)).toBe(ms);
});

it.each(["", "0", "-1", "1d", "s", "1e9", "999999999h", "Infinity"])("%j is no time", (text) => {
  expect(() => readDuration("--timeout", text)).toThrow(/^--timeout is a time such as 90/);
});
