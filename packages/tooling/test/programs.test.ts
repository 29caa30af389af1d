import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtName, programs } from "../src/programs.js";
import { root } from "../src/workspace.js";

it.each(Object.entries(programs))(
  "the programs of %s exist, and each is built under a name of its own",
  (folder, sources) => {
    expect(sources.filter((source) => !existsSync(join(root, folder, source)))).toEqual([]);
    expect(new Set(sources.map(builtName)).size).toBe(sources.length);
  },
);

it("programs of two folders with one file name have two names", () => {
  expect([builtName("src/one/agent-main.ts"), builtName("src/two/agent-main.ts")]).toEqual([
    "src-one-agent-main",
    "src-two-agent-main",
  ]);
});
