import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { findMentions, pathsInText } from "./request.js";

describe("paths in a message", () => {
  it.each([
    ["review cart.ts", ["cart.ts"]],
    ["review src/cart.ts, please.", ["src/cart.ts"]],
    ["look at ./src/a.tsx and ../b.mjs!", ["./src/a.tsx", "../b.mjs"]],
    ["is /home/me/app/index.js fine?", ["/home/me/app/index.js"]],
    ["C:\\work\\app\\a.ts is odd", ["C:\\work\\app\\a.ts"]],
    ["@src/a.ts what about this", ["src/a.ts"]],
    ["see src/a.ts:12:3 and b.ts#L10-L20", ["src/a.ts", "b.ts"]],
    ["(src/a.ts), [b.ts]; <c.ts>", ["src/a.ts", "b.ts", "c.ts"]],
    ["`src/a.ts` and \"my file.ts\" and 'x y.js'", ["src/a.ts", "my file.ts", "x y.js"]],
    ["don't change src/a.ts, it's fine", ["src/a.ts"]],
    ["run `npx oxlint src/a.ts` for me", ["src/a.ts"]],
    ["look into `src/reviewer` or ./lib or docs/", ["src/reviewer", "./lib", "docs/"]],
    ["logo.png, data.bin and README.md", ["logo.png", "data.bin", "README.md"]],
    ["a.ts and then a.ts again", ["a.ts"]],
    ["überprüfe src/größe.ts", ["src/größe.ts"]],
    ["/review src/a.ts", ["src/a.ts"]],
    [`open ${"file:///tmp/a%20b.ts"}`, ["/tmp/a b.ts"]],
  ])("%s", (text, paths) => {
    expect(pathsInText(text)).toEqual(paths);
  });

  it.each([
    "Hello, what can you do?",
    "e.g. version 1.2.3 of foo.bar and/or cart.items()",
    "Is Node.js or Next.js better?",
    "https://example.com/a.ts",
    "/help",
    "/review",
    "`npm run build`",
    "...",
    "",
  ])("none in: %s", (text) => {
    expect(pathsInText(text)).toEqual([]);
  });
});

describe("files that a prompt names", () => {
  const text = (value: string) => ({ type: "text", text: value }) as const;
  const link = (uri: string) => ({ type: "resource_link", uri, name: "x" }) as const;

  it("are read from file links, whose names may be encoded", () => {
    const uri = pathToFileURL("/work/größe und so.ts").href;
    expect(findMentions([text("review this"), link(uri)])).toEqual([{ path: "/work/größe und so.ts" }]);
    expect(findMentions([link("file:///a.ts#L10")])).toEqual([{ path: "/a.ts" }]);
  });

  it("come with their text when they are embedded", () => {
    const resource = { uri: "file:///w/a.ts", text: "let a" };
    expect(findMentions([{ type: "resource", resource }])).toEqual([{ path: "/w/a.ts", text: "let a" }]);
    const untitled = { uri: "untitled:1.ts", text: "let a" };
    expect(findMentions([{ type: "resource", resource: untitled }])).toEqual([
      { path: "untitled:1.ts", text: "let a" },
    ]);
  });

  it("count once when the text names what is attached", () => {
    const blocks = [text("review @src/a.ts and ./b.ts"), link("file:///w/src/a.ts"), link("file:///w/b.ts")];
    expect(findMentions(blocks)).toEqual([{ path: "/w/src/a.ts" }, { path: "/w/b.ts" }]);
  });

  it("stay apart when only their last names agree", () => {
    expect(findMentions([text("a/index.ts and index.ts")])).toHaveLength(2);
    expect(findMentions([link("file:///w/a/index.ts"), link("file:///w/b/index.ts")])).toHaveLength(2);
  });

  it("are no problem when a link is broken", () => {
    expect(findMentions([link("file://%%%")])).toEqual([{ path: "file://%%%" }]);
  });

  it("are the first 500 of a prompt", () => {
    const text = Array.from({ length: 2000 }, (_, at) => `a${at}.ts`).join(" ");
    expect(findMentions([{ type: "text", text }])).toHaveLength(500);
  });
});
