import { describe, expect, it } from "vitest";
import { findMentions, mentionOf, withoutEscapes } from "./mentions.js";

const first = (text: string) => findMentions(text).map(({ paths: [path] }) => path);
const last = (text: string) => findMentions(text).map(({ paths }) => paths.at(-1));

describe("defect P16: files by @path", () => {
  it.each([
    ["Explain @src/a.ts", ["src/a.ts"]],
    ["@a.ts and @b.ts", ["a.ts", "b.ts"]],
    ["(@a.ts)", ["a.ts"]],
    ["Is it @a.ts?", ["a.ts"]],
    ["see @a.ts, @b.ts; @c.ts.", ["a.ts", "b.ts", "c.ts"]],
    ["`@a.ts`", ["a.ts"]],
    ["@a.ts:12 and @b.ts:3:4 and @c.ts#L3-L9", ["a.ts", "b.ts", "c.ts"]],
    ["@icon@2x.png", ["icon@2x.png"]],
    ["修正@src/a.ts。", ["src/a.ts"]],
    ["@src/a.tsを直して", ["src/a.ts"]],
    ["@my\\ file.ts", ["my file.ts"]],
    ["@./a.ts @../b.ts @/c.ts @~/d.ts", ["./a.ts", "../b.ts", "/c.ts", "~/d.ts"]],
  ])("%j mentions %j", (text, paths) => {
    expect(last(text)).toEqual(paths);
  });

  it("a quoted path is taken as it is", () => {
    expect(findMentions(`@"a b.ts." and @'c "d".ts'`)).toEqual([
      { typed: '@"a b.ts."', paths: ["a b.ts."], isQuoted: true },
      { typed: `@"c "d".ts"`, paths: ['c "d".ts'], isQuoted: true },
    ]);
  });

  it("a name that ends with punctuation is tried first", () => {
    expect(findMentions("@Makefile.")).toMatchObject([{ typed: "@Makefile", paths: ["Makefile.", "Makefile"] }]);
    expect(first("@a:12")).toEqual(["a:12"]);
  });

  it.each([
    "me@example.org",
    "react@18.2.0",
    "https://example.org/@me/x",
    "a/@b",
    "é@x",
    "\\@a.ts",
    "@ a",
    "@",
    "@...",
    "@@",
  ])("%j mentions no file", (text) => {
    expect(
      findMentions(text)
        .flatMap(({ paths }) => paths)
        .filter((path) => path !== "@"),
    ).toEqual([]);
  });

  it("the agent gets an escaped @ without its backslash, and other backslashes as they are", () => {
    expect(withoutEscapes("Why \\@Injectable, C:\\@x and \\\\@y?")).toBe("Why @Injectable, C:\\@x and \\\\@y?");
  });

  it("a path appears once, and the number of mentions has a bound", () => {
    expect(first("@a @a")).toEqual(["a"]);
    expect(findMentions(Array.from({ length: 2000 }, (_, index) => `@f${index}`).join(" "))).toHaveLength(500);
  });

  it.each([
    ["quotes", '@"'],
    ["signs", "@"],
    ["escapes", "@\\ "],
    ["punctuation", "@a.ts)))))"],
    ["one word", "x@"],
  ])("a hostile text of %s is read in linear time", (_, piece) => {
    const start = process.cpuUsage().user / 1000;
    findMentions(piece.repeat(400_000));
    withoutEscapes(piece.repeat(400_000));
    expect(process.cpuUsage().user / 1000 - start).toBeLessThan(2000);
  });
});

describe("mentionOf", () => {
  it.each(["a.ts", "src/", "a b.ts", "icon@2x.png", "what?.md", "ünïcode/ä.ts", 'say "hi".txt', "a#b", "C.", "a\\b"])(
    "%j is found again",
    (path) => {
      expect(first(`See ${mentionOf(path)} now`)).toEqual([path]);
    },
  );

  it.each(["a\nb", "a\u202eb", `"'`])("%j has none", (path) => {
    expect(mentionOf(path)).toBeUndefined();
  });
});
