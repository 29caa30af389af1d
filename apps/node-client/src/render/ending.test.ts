import { expect, it } from "vitest";
import { endingLines } from "./ending.js";
import { textOf } from "./line.js";
import { lineWidth, screenLayout } from "./wrap.js";

const shown = (code: number, detail: "short" | "log") =>
  endingLines({ error: { code, message: "It broke." } }, { width: 80, directory: "", detail, layout: screenLayout })
    .map((line) => line.map(textOf).join(""))
    .join("\n")
    .trim();

it.each(["short", "log"] as const)("defect P34: the code of an internal error is left out: %s", (detail) => {
  expect(shown(-32603, detail)).toBe("■ Failed: It broke.");
  expect(shown(-32042, detail)).toBe("■ Failed: It broke. (code -32042)");
});

it("a turn that wants a login says what gets one, also from an agent that refuses nothing but prompts (V1-AUTH-10)", () => {
  const lines = endingLines(
    { error: { code: -32000, message: "Please run /login" } },
    { width: 40, directory: "", detail: "short", layout: screenLayout },
  );
  expect(lines.map((line) => line.map(textOf).join("")).join("\n")).toMatch(/wants a login.* -p /s);
  expect(lines.every((line) => lineWidth(line) <= 40)).toBe(true);
});
