import { expect, it } from "vitest";
import { endingLines } from "./ending.js";
import { textOf } from "./line.js";
import { lineWidth, screenLayout } from "./wrap.js";

it("a turn that wants a login says what gets one, also from an agent that refuses nothing but prompts (V1-AUTH-10)", () => {
  const lines = endingLines(
    { error: { code: -32000, message: "Please run /login" } },
    { width: 40, directory: "", detail: "short", layout: screenLayout },
  );
  expect(lines.map((line) => line.map(textOf).join("")).join("\n")).toMatch(/wants a login.* -p /s);
  expect(lines.every((line) => lineWidth(line) <= 40)).toBe(true);
});
