import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSanitiser, oneLine, sanitise, showControls } from "./sanitise.js";

/** Characters that a terminal may act on, and invisible ones that change the reading of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come out
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

function inChunks(chunks: readonly string[]): string {
  const sanitiser = createSanitiser();
  return chunks.map((chunk) => sanitiser.write(chunk)).join("") + sanitiser.end();
}

describe("sanitise removes escape sequences", () => {
  it.each([
    ["colours", "a\u001b[31mred\u001b[0mb", "aredb"],
    ["cursor movement and erasure", "yes\u001b[1A\u001b[2K\u001b[Gno", "yesno"],
    ["the clipboard (OSC 52), ended by BEL", "a\u001b]52;c;cm0gLXJmIC8=\u0007b", "ab"],
    ["the clipboard (OSC 52), ended by ST", "a\u001b]52;c;cm0gLXJmIC8=\u001b\\b", "ab"],
    ["a link (OSC 8); its text stays", "\u001b]8;;https://evil.example\u001b\\docs\u001b]8;;\u001b\\!", "docs!"],
    ["the title (OSC 0)", "\u001b]0;pwned\u0007x", "x"],
    ["DCS, APC, PM, SOS", "\u001bPq#0\u001b\\1\u001b_G\u001b\\2\u001b^p\u001b\\3\u001bXs\u001b\\4", "1234"],
    ["8-bit CSI, OSC and DCS", "a\u009b2Jb\u009d52;c;eA==\u009cc\u0090q\u009cd", "abcd"],
    ["reset, charset and keypad", "a\u001bcb\u001b(0c\u001b#8d\u001b=e", "abcde"],
    ["a sequence that another one interrupts", "a\u001b[3\u001b[1mb", "ab"],
    ["a string that CAN interrupts", "a\u001b]0;title\u0018b", "ab"],
  ])("%s", (_, text, harmless) => {
    expect(sanitise(text)).toBe(harmless);
  });

  it("lets a line break end a string that nobody ended, so that it swallows one line at most", () => {
    expect(sanitise("a\u001b]0;never ended\nnext line")).toBe("a\nnext line");
  });

  it("drops a sequence that is still open at the end", () => {
    expect(sanitise("done\u001b[3")).toBe("done");
    expect(sanitise("done\u001b")).toBe("done");
  });
});

describe("sanitise shows other controls", () => {
  it.each([
    ["C0 controls", "a\u0007b\u0008c\u0000d", "a␇b␈c␀d"],
    ["DEL", "a\u007fb", "a␡b"],
    ["C1 controls", "a\u0085b", "a<U+0085>b"],
    ["bidirectional overrides and isolates", "if (a\u202e\u2066) {", "if (a<U+202E><U+2066>) {"],
    ["fillers", "sh #\u3164\uffa0\u115f npm test", "sh #<U+3164><U+FFA0><U+115F> npm test"],
    ["zero width", "pass\u200bword\ufeff", "pass<U+200B>word<U+FEFF>"],
    ["joiners inside words", "pay\u200dpal", "pay<U+200D>pal"],
    ["hidden tags", "hi\u{e0041}", "hi<U+E0041>"],
    ["defect S11: selectors, except after emoji", "a\ufe0f\ufe00\u180b1\ufe0f", "a<U+FE0F><U+FE00><U+180B>1\ufe0f"],
    ["defect S11: selectors after a selector", "❤\ufe0f\ufe0f", "❤\ufe0f<U+FE0F>"],
    ["defect S11: more selectors", "a\u{e0100}\u{e01ef}", "a<U+E0100><U+E01EF>"],
    ["defect S11: marks of music and of shorthand", "a\u{1d173}\u{1d17a}\u{1bca0}", "a<U+1D173><U+1D17A><U+1BCA0>"],
    ["defect S11: the empty Braille pattern", "a\u2800b", "a<U+2800>b"],
    ["half a character", "a\ud83db", "a\ufffdb"],
    ["half a character at the end", "a\ud83d", "a\ufffd"],
  ])("%s", (_, text, harmless) => {
    expect(sanitise(text)).toBe(harmless);
  });

  it("makes line breaks of carriage returns", () => {
    expect(sanitise("10%\r20%\r\ndone\r")).toBe("10%\n20%\ndone\n");
  });
});

describe("ordinary text is unchanged", () => {
  const ordinary = [
    "const a = 1;\n\treturn a < 2 && b > 3; // ok\n",
    "Grüße, naïve café, Ελληνικά, Русский, 日本語, 한국어, עברית, العربية",
    "👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 🇩🇪",
    "می‌خواهم क्‍ष",
    "combining e\u0301, box ┌─┐, math ∀x∈ℝ, €, “quotes” — dash… non\u00a0breaking",
  ];
  it.each(ordinary)("%s", (text) => {
    expect(sanitise(text)).toBe(text);
    expect(showControls(text)).toBe(text);
    expect(inChunks(text.split(""))).toBe(text);
  });

  it("also at random", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(sanitise(text)).toBe(text);
      }),
    );
  });
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("\u001b", "\u001b[", "\u001b]", "\u001b]52;c;", "\u001bP", "\u009b", "\u009d", "\u009c"),
      fc.constantFrom("\u0007", "\u001b\\", "\r", "\n", "\u0018", "\u202e", "\u200d", "\ud83d", "\ude00", "m", "0;"),
      fc.string({ unit: "binary" }),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(""));

describe("for any text", () => {
  it("defect S11: no ignorable character of Unicode comes out", () => {
    for (let code = 0xa0; code <= 0xe_ffff; code += 1) {
      const char = String.fromCodePoint(code);
      if (!/\p{Default_Ignorable_Code_Point}/u.test(char)) continue;
      expect(showControls(`a${char}`)).toBe(`a<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`);
      expect(sanitise(`a${char}`)).not.toContain(char);
    }
  });

  it("no control and no invisible character comes out", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitise(text)).not.toMatch(HARMFUL);
        expect(showControls(text)).not.toMatch(HARMFUL);
        expect(oneLine(text)).not.toMatch(HARMFUL);
        expect(oneLine(text)).not.toMatch(/[\n\t]/);
      }),
      { numRuns: 1000 },
    );
  });

  it("the borders between chunks make no difference", () => {
    const cut = fc.tuple(hostile, fc.array(fc.nat({ max: 60 })));
    fc.assert(
      fc.property(cut, ([text, places]) => {
        const borders = [0, ...places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b), text.length];
        const chunks = borders.slice(1).map((border, index) => text.slice(borders[index], border));
        expect(inChunks(chunks)).toBe(sanitise(text));
        expect(inChunks(text.split(""))).toBe(sanitise(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("where somebody decides", () => {
  it("showControls hides nothing", () => {
    expect(showControls("rm -rf ~ \u001b]0;\u0007\u001b[2K echo hi\r\n")).toBe("rm -rf ~ ␛]0;␇␛[2K echo hi␍\n");
  });

  it("oneLine cannot fake a line", () => {
    expect(oneLine("Read a.js\n✓ allowed\tx")).toBe("Read a.js␊✓ allowed x");
  });
});
