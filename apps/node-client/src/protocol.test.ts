import { expect, it } from "vitest";
import { readProtocol } from "./protocol.js";

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
