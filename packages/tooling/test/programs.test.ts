import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildPrograms, builtName, programs } from "../src/programs.js";
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

it("only files with CommonJS packages create a require function, and no file has zod's messages in other languages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "old.cjs"), `module.exports = require("node:path").basename("a/b");`);
  const zod = JSON.stringify(join(root, "packages/schema/node_modules/zod/v4/index.js"));
  const says = "Object.keys(z.locales).join(), z.string().safeParse(1).error.issues[0].message";
  writeFileSync(join(folder, "one.mjs"), `#!/usr/bin/env node\nimport * as z from ${zod};\nconsole.log(${says});`);
  writeFileSync(join(folder, "two.mjs"), `#!/usr/bin/env node\nimport old from "./old.cjs";\nconsole.log(old);`);
  const out = join(folder, "built");
  await buildPrograms({ one: join(folder, "one.mjs"), two: join(folder, "two.mjs") }, out);
  const run = (name: string) => execFileSync(process.execPath, [join(out, `${name}.js`)], { encoding: "utf8" }).trim();
  expect([run("one"), run("two")]).toEqual(["en Invalid input: expected string, received number", "b"]);
  const texts = readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"));
  expect(texts.filter((text) => text.includes("makeRequire(import.meta.url)"))).toHaveLength(1);
  expect(texts.join("")).not.toContain("locales/de.js");
});
