import { describe, expect, it, vi } from "vitest";
import { matchesPattern } from "./form-pattern.js";

const plenty = () => ({ steps: 1_000_000 });
const matches = (pattern: string, text: string) => matchesPattern(pattern, text, plenty());

describe("a pattern", () => {
  it.each([
    ["^[a-z][a-z0-9-]{2,5}$", ["abc", "a-9-x"], ["ab", "abcdefg", "9bc", "abc\n"]],
    ["^\\d{4}-\\d{2}-\\d{2}$", ["2026-11-21"], ["2026-11-2", "x2026-11-21"]],
    ["^(?:[a-z]+\\.)+[a-z]+$", ["a.b", "www.example.org"], ["a.", ".b"]],
    ["b|^c$", ["abc", "c"], ["ac", "cc"]],
    ["^[^@\\s]+@[^@\\s]+$", ["a@b"], ["a b@c", "@b"]],
    ["^.$", ["🚀", "ä"], ["", "ab", "\n"]],
    ["^(?<name>a|bb)*?$", ["", "abba"], ["ab"]],
    ["^\\p{Lu}\\u{1F680}\\ud83d\\ude80\\x41\\]$", ["Ä🚀🚀A]"], ["ä🚀🚀A]"]],
    ["^a{3}$", ["aaa"], ["aa", "aaaa"]],
    ["^[\\w-.]+@\\-$", ["a-b.c@-"], ["@-"]],
    ["^[]$|^[^]$", ["\n"], [""]],
  ])("%s means what it means in JavaScript", (pattern, good, bad) => {
    for (const text of good) expect([text, matches(pattern, text)]).toEqual([text, true]);
    for (const text of bad) expect([text, matches(pattern, text)]).toEqual([text, false]);
  });

  it("agrees with JavaScript at random", () => {
    let seed = 7;
    const pick = (from: readonly string[]): string => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return from[Math.floor((seed / 2 ** 31) * from.length)] as string;
    };
    const piece = (depth: number): string => {
      const atom = pick(depth > 2 ? ["a", "b", ".", "[ab]"] : ["a", "b", "[^a]", "\\w", "^", "$", "(", "(?:"]);
      if (atom === "^" || atom === "$") return atom;
      const part = atom.startsWith("(") ? `${atom}${piece(depth + 1)}${pick(["", "|"])}${piece(depth + 1)})` : atom;
      return part + pick(["", "", "*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"]);
    };
    const texts = ["", "a", "b", "ab", "ba", "aab", "bbb", "abab", "c", "cab"];
    for (let round = 0; round < 3000; round++) {
      const pattern = piece(0) + piece(0) + pick(["", "|"]) + piece(1);
      for (const text of texts) {
        expect([pattern, text, matches(pattern, text)]).toEqual([pattern, text, new RegExp(pattern, "u").test(text)]);
      }
    }
  });
});

describe("bounded time (V1-ELIC-10)", () => {
  it("V1-ELIC-10: patterns that JavaScript would never finish take a linear walk, and never reach its engine whole", () => {
    const exec = vi.spyOn(RegExp.prototype, "test");
    const text = `${"a".repeat(2000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*)*$|x", "a*a*a*a*a*a*b"]) {
      const budget = plenty();
      expect(matchesPattern(pattern, text, budget)).toBe(pattern.endsWith("x"));
      expect(plenty().steps - budget.steps).toBeLessThan(30 * text.length);
    }
    expect(exec.mock.calls.every(([char]) => char.length <= 2)).toBe(true);
    exec.mockRestore();
  });

  it("V1-ELIC-10: it gives up where the budget ends, and all fields of a form share one", () => {
    const budget = { steps: 300 };
    expect(matchesPattern("^a+$", "a".repeat(20), budget)).toBe(true);
    expect(matchesPattern("^a+$", "a".repeat(1000), budget)).toBeUndefined();
    expect(matchesPattern("^a$", "b", budget)).toBeUndefined();
  });

  it.each([
    ["look-around", "^(?=a)a$"],
    ["a reference", "^(a)\\1$"],
    ["a named reference", "^(?<x>a)\\k<x>$"],
    ["a border", "\\ba"],
    ["what is no pattern", "(["],
    ["too many states", "^(?:(?:a{100}){100}){100}$"],
    ["a huge count", "^a{4294967295}$"],
    ["a long pattern", "a".repeat(2001)],
  ])("V1-ELIC-10: %s is not run at all", (_, pattern) => {
    expect(matches(pattern, "a")).toBeUndefined();
  });
});
