import { describe, expect, it } from "vitest";
import { matchCandidates } from "./match-files.js";

describe("matchCandidates", () => {
  const paths = ["src/server.ts", "src/deep/server.test.ts", "README.md", "docs/serve.md"];

  it.each<[string, string[]]>([
    ["src/", ["src/", "src/deep/", "src/server.ts", "src/deep/server.test.ts"]],
    ["SERVER", ["src/server.ts", "src/deep/server.test.ts"]],
    ["read", ["README.md"]],
    ["srvt", ["src/server.ts", "src/deep/server.test.ts"]],
    ["nothing", []],
  ])("%s offers %j", (typed, offered) => {
    expect(matchCandidates(paths, typed)).toEqual(offered);
  });

  it("offers a bounded number, in a bounded time", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${"a/".repeat(100)}f${index}`);
    const start = process.cpuUsage().user / 1000;
    expect(matchCandidates(many, "a".repeat(10_000), 5)).toHaveLength(0);
    expect(matchCandidates(many, "f", 5)).toHaveLength(5);
    const deep = Array.from({ length: 2000 }, (_, index) => `${index}/${"a/".repeat(500)}f`);
    for (const typed of ["", "f", "a/a/a", "a/b"]) matchCandidates(deep, typed, 5);
    expect(process.cpuUsage().user / 1000 - start).toBeLessThan(3000);
  });
});
