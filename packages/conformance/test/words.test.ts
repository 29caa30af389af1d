import { describe, expect, it } from "vitest";
import { clientChecks } from "../src/client/client-checks.js";
import { commandClient } from "../src/node/command-client.js";
import { joinWords, splitWords } from "../src/node/words.js";

describe("the words of a command line", () => {
  it.each([
    ["a b  c", ["a", "b", "c"]],
    [`a "b c" 'd "e"' f\\ g ""`, ["a", "b c", 'd "e"', "f g", ""]],
    [String.raw`C:\tools\client.exe 'it''s'`, [String.raw`C:\tools\client.exe`, "its"]],
  ])("CONF-01: splits %s", (line, words) => {
    expect(splitWords(line)).toEqual(words);
    expect(splitWords(joinWords(words))).toEqual(words);
  });

  it("CONF-01: takes a word that is too long for a path", () => {
    expect(() => commandClient(`client ${"a.".repeat(3000)} {agent}`, { folder: "unused" })).not.toThrow();
  });

  it("refuses a quote without an end", () => {
    expect(() => splitWords("a 'b")).toThrow("The quote ' has no end in: a 'b");
  });
});

describe("the checks of clients as data", () => {
  it("CONF-03, CONF-08: have unique ids, a sentence and requirements, and are at least 90", () => {
    const ids = clientChecks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(90);
    for (const { id, title, requirements } of clientChecks) {
      expect(title, id).toMatch(/^[A-Z_$a-z\d].*\.$/);
      expect(requirements.length, id).toBeGreaterThan(0);
    }
  });
});
