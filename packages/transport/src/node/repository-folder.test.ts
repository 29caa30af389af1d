import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRepositoryFolder } from "./index.js";

test("defect S4: a folder with the content of a repository is found around a path, but not outside of the roots", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "repository-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const bare = join(root, "in/bare");
  for (const name of ["objects", "refs", "hooks/deep"]) mkdirSync(join(bare, name), { recursive: true });
  const find = (path: string, roots = [root]) => findRepositoryFolder(path, roots);
  expect(await find(join(bare, "config"))).toBeUndefined();
  writeFileSync(join(bare, "HEAD"), "");
  expect(await find(join(bare, "config"))).toBe(bare);
  expect(await find(join(bare, "hooks/deep/new"))).toBe(bare);
  expect(await find(join(bare, "hooks/x"), [join(bare, "hooks")])).toBeUndefined();
  expect(await find(join(root, "in/a.txt"))).toBeUndefined();
  expect(await find("/x/y", ["/"])).toBeUndefined();
});
