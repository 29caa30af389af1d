import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../src/workspace.js";

// The ways through the code that CONTRIBUTING.md draws: a title with the count, then one file of a package in each line.
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const [, chapter = ""] = /^## Four ways\n([\s\S]*?)^## /m.exec(page) ?? [];
const ways = [...chapter.matchAll(/^```\n(.+?): (\d+) files(.*)\n([\s\S]*?)^```/gm)].map(
  ([, title = "", count, parts = "", lines = ""]) => {
    const files = [...lines.matchAll(/^ +(\S+\.ts)/gm)].map(([, file = ""]) => file);
    return { title, count: Number(count), parts, files };
  },
);

test("CONTRIBUTING draws the wire and the ways", () => {
  expect(ways.map(({ title }) => title)).toEqual([
    ...["wire in", "wire out", "update → listener", "say → stdout", "prompt, client", "prompt, agent"],
    ...["permission, agent", "permission, client"],
  ]);
});

test.for(ways)("$title: its files exist, and are as many as it says", ({ count, parts, files }) => {
  expect(files.filter((file) => !existsSync(join(root, "packages", file.replace("/", "/src/"))))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
  const wire = ways.filter(({ title }) => parts.includes(title)).flatMap((part) => part.files);
  expect(new Set([...files, ...wire]).size).toBe(count);
});
