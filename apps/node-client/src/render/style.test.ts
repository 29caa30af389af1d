import { expect, it } from "vitest";
import { createPaint, wantsColours } from "./style.js";

it.each([
  [{ isTTY: true }, {}, true],
  [{}, {}, false],
  [{ isTTY: true }, { TERM: "dumb" }, false],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: true }, { NO_COLOR: "" }, true],
  [{}, { FORCE_COLOR: "1" }, true],
  [{}, { FORCE_COLOR: "" }, true],
  [{ isTTY: true }, { FORCE_COLOR: "0" }, false],
  [{ isTTY: true }, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("for %j and %j colours are wanted: %j", (stream, env, wanted) => {
  expect(wantsColours(stream, env)).toBe(wanted);
});

it("paints or does not", () => {
  expect(createPaint(true)("red", "x")).toBe("\u001b[31mx\u001b[39m");
  expect(createPaint(true)("plain", "x")).toBe("x");
  expect(createPaint(false)("red", "x")).toBe("x");
});
