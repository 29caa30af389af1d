import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { readIgnoreRules } from "./ignore-rules.js";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Returns true for a path that the rules ignore, or whose parent they ignore. */
function isIgnored(text: string, path: string, isFolder: boolean): boolean {
  const rules = readIgnoreRules(text);
  const parts = path.split("/");
  return parts.some((_, index) =>
    rules.ignores(parts.slice(0, index + 1).join("/"), isFolder || index < parts.length - 1),
  );
}

/** Asks Git which of the paths each of the files ignores. What does not exist is a file for Git. */
async function ignoredByGit(texts: readonly string[], paths: readonly string[], isFolder: boolean) {
  const folder = await createFolder();
  spawnSync("git", ["init", "-q"], { cwd: folder });
  for (const [index, text] of texts.entries()) {
    await mkdir(join(folder, String(index)));
    await writeFile(join(folder, String(index), ".gitignore"), text);
    if (isFolder) for (const path of paths) await mkdir(join(folder, String(index), path), { recursive: true });
  }
  const args = ["-c", "core.ignorecase=false", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z"];
  const input = texts.flatMap((_, index) => paths.map((path) => `${index}/${path}`)).join("\0");
  const options = { cwd: folder, input, maxBuffer: 64 * 1024 * 1024 };
  const found = new Set(
    spawnSync("git", [...args, "--stdin"], options)
      .stdout.toString()
      .split("\0"),
  );
  return texts.map((_, index) => paths.filter((path) => found.has(`${index}/${path}`)));
}

const paths = [
  ...["a", "b", "ab", "abc", "a.b", "a/a", "a/b", "b/a", "a/b/c", "a/b/c/d", "a/ab/b"],
  ...["c", "-", "]", "!", "#", "#a", "!a", "a b", "a ", " a", "[a]", "a*", "\\a", "a-b", "x/y/z/a", ".a", "ba"],
  ...["aab", "a/x/b", "a/x/y/b", "axb", "a1", "a\tb", "A", "aXb/c", "{a,b}", "a,b", "a?", "z/ab/c", "z/a/b"],
];

describe("defect S10: the rules of a .gitignore", () => {
  it.skipIf(!hasGit)("are those of Git, for hundreds of random ones", { timeout: 60_000 }, async () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("a", "b", "ab", "c", "x", ".", "-", "A", "1") },
      { weight: 5, arbitrary: fc.constantFrom("*", "**", "?", "/", "/**/", "**/", "/**", "***") },
      {
        weight: 2,
        arbitrary: fc.constantFrom("[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a-]", "[[:alpha:]]", "[!]-]"),
      },
      { weight: 1, arbitrary: fc.constantFrom("[", "]", "\\", "\\*", "\\a", " ", "\\ ", "{a,b}", "#", "!", "[[:x:]]") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("[z-a]", "[\\]]", "[a\\-c]", "[[:digit:]b]", "[:a]", "[[:a]", "\t", "\r"),
      },
    );
    const line = fc
      .tuple(fc.constantFrom("", "", "", "!", "/", "!/"), fc.array(piece, { minLength: 1, maxLength: 5 }))
      .map(([sign, pieces]) => sign + pieces.join("") + (pieces.length % 3 === 0 ? "/" : ""));
    const texts = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
    const all = fc.sample(texts, { numRuns: 250, seed: 10 });
    for (const isFolder of [false, true]) {
      const expected = await ignoredByGit(all, paths, isFolder);
      for (const [index, text] of all.entries()) {
        expect([text, paths.filter((path) => isIgnored(text, path, isFolder))]).toEqual([text, expected[index]]);
      }
    }
  });

  it.skipIf(!hasGit).each([
    ["node_modules/\ndist\n*.log\n!keep.log\n/build\ndocs/*.md\n**/tmp/**\n", "a usual file"],
    ["a**/b\nx/**y/z\n**a\nb**", "stars that are not alone"],
    ["\\#a\n\\!a\na\\ \na \n#b", "escapes and comments"],
    ["*\n!*/\n!*.b", "all but some"],
    ["a\r\nb/\r\n", "lines of Windows"],
    ["\ufeffa\nb", "a mark at the start"],
    ["/*\n!/a\n/a/*\n!/a/b", "a nested exception"],
  ])("are those of Git: %j, %s", async (text) => {
    const more = [
      "node_modules",
      "x/node_modules/y",
      "keep.log",
      "q.log",
      "build",
      "x/build",
      "docs/x.md",
      "docs/y/x.md",
    ];
    const all = [...paths, ...more, "q/tmp/r", "tmp", "tmp/x", "x/qy/z", "axx/yy/b"];
    for (const isFolder of [false, true]) {
      const [expected] = await ignoredByGit([text.replace(/^\ufeff/, "")], all, isFolder);
      expect(all.filter((path) => isIgnored(text, path, isFolder))).toEqual(expected);
    }
  });

  it.each([
    ["*a*a*a*a*a*a*b", "a".repeat(250)],
    ["**/**/**/**/**/**/**/b", "a/".repeat(120)],
    [`${"*a".repeat(1_000)}b`, "a".repeat(4_000)],
    [`${"**/".repeat(500)}b`, "a/".repeat(2_000)],
    ["\\".repeat(20_000), "\\".repeat(4_000)],
    ["[".repeat(4_000), "[".repeat(4_000)],
    [`${"[a-z]*".repeat(600)}1`, "a".repeat(4_000)],
    [`[${"a-z".repeat(1_000)}]*b`, "a".repeat(4_000)],
    ["{a,b}".repeat(800), "a".repeat(4_000)],
    ["(a+)+b", "a".repeat(4_000)],
    [" ".repeat(100_000), "a"],
    [`a${"\\ ".repeat(2_000)}`, "a".repeat(4_000)],
  ])("answer at once, however they are: %.20s", (text, path) => {
    const began = process.cpuUsage().user / 1000;
    readIgnoreRules(text).ignores(path, false);
    // A match that goes back takes longer than anybody waits. The product of both lengths is 8 million.
    expect(process.cpuUsage().user / 1000 - began).toBeLessThan(1_500);
  });

  it("look at a path of eight times the length in about eight times the time", { timeout: 30_000 }, () => {
    const rules = readIgnoreRules("**/a/**/a/**/c/*b\n**/*a*a/**/*a/**/c/b\n");
    const time = (length: number) => {
      const path = `${"a/".repeat(length)}b`;
      const times = Array.from({ length: 4 }, () => {
        const began = process.cpuUsage().user / 1000;
        rules.ignores(path, false);
        return process.cpuUsage().user / 1000 - began;
      });
      return Math.min(...times);
    };
    const [short, long] = [time(10_000), time(80_000)];
    // Below three for each doubling.
    expect(long / short).toBeLessThan(27);
  });

  it.each(["constructor", "toString", "__proto__", "valueOf"])("do nothing with an unknown class %s", (name) => {
    expect(readIgnoreRules(`[[:${name}:]]\nb`).ignores("a", false)).toBe(false);
    expect(readIgnoreRules(`[[:${name}:]]\nb`).ignores("b", false)).toBe(true);
  });
});
