import { expect, it } from "vitest";
import { readDuration, readProtocol } from "./invocation.js";

it("speaks everything unless told otherwise, and one dialect by its number or name", () => {
  expect(readProtocol()).toEqual(["v1", "v2", "seed"]);
  expect(readProtocol("1")).toEqual(["v1"]);
  expect(readProtocol("v2")).toEqual(["v2"]);
  expect(readProtocol("seed")).toEqual(["seed"]);
});

it("says what there is for any other value", () => {
  expect(() => readProtocol("3")).toThrow('--protocol is auto, 1, 2 or seed, not "3".');
  expect(() => readProtocol("constructor")).toThrow("--protocol is");
});

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
