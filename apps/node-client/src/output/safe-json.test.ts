import fc from "fast-check";
import { expect, it } from "vitest";
import { sanitise } from "../sanitise.js";
import { safeJson } from "./safe-json.js";

const unsafe = /(?!\n)[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

it("escapes what no person can see, and loses nothing", () => {
  const evil = "\u001b[2J \u007f \u009b1A \u202e \u200b \u2028 \u{e0041} \ud800 grün 👩‍💻";
  const json = safeJson({ [evil]: evil });
  expect(json).not.toMatch(unsafe);
  expect(json).toContain("grün");
  expect(JSON.parse(json)).toEqual({ [evil]: evil });
});

it("defect S23: fillers of Hangul and other blanks are escaped in JSON as they are shown on the screen", () => {
  for (const code of [0x115f, 0x1160, 0x3164, 0xffa0, 0x034f, 0x17b4, 0x17b5]) {
    const char = String.fromCodePoint(code);
    expect(safeJson(`a${char}b`)).toBe(`"a\\u${code.toString(16).padStart(4, "0")}b"`);
    expect(sanitise(char)).not.toContain(char);
  }
});

it("defect S15: a value with 100 000 levels, or one that contains itself, is printed with a reason for what is left out", () => {
  const deep: unknown = JSON.parse(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"b":1}`);
  expect(JSON.parse(safeJson({ type: "event", deep }))).toMatchObject({ type: "event", deep: { b: 1 } });
  expect(safeJson(deep)).toContain("[left out: more than 200 levels]");
  const own: { a?: unknown } = {};
  own.a = [own];
  expect(safeJson(own)).toBe('{"a":["[left out: it contains itself]"]}');
  expect(safeJson({ id: 1n })).toBe('{"id":"1"}');
});

it("every value comes back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const json = safeJson([value, text], 1);
      expect(json).not.toMatch(unsafe);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify([value, text])));
    }),
  );
});
