import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { replaceFile } from "./replace-file.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "replace-file-"));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it("a new file and its folder are for the user only", async () => {
  const path = join(folder, "settings", "a.json");
  await replaceFile(path, "{}");
  expect(await readFile(path, "utf8")).toBe("{}");
  expect([await modeOf(path), await modeOf(join(folder, "settings"))]).toEqual([0o600, 0o700]);
});

it.each([
  [true, 0o644],
  [false, 0o600],
])("a replaced file has the permissions of its kind: %s", async (keepsMode, mode) => {
  const path = join(folder, "a.json");
  await writeFile(path, "old");
  await chmod(path, 0o644);
  await replaceFile(path, "new", { keepsMode });
  expect([await readFile(path, "utf8"), await modeOf(path)]).toEqual(["new", mode]);
});

it("a link stays, and its target is replaced", async () => {
  const [path, target] = [join(folder, "a.json"), join(folder, "b.json")];
  await writeFile(target, "old");
  await symlink(target, path);
  await replaceFile(path, "new");
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe("new");
});

it("after a failure, the old file stays and no draft is left", async () => {
  const path = join(folder, "a.json");
  await replaceFile(join(path, "inside"), "a folder");
  await expect(replaceFile(path, "new")).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["a.json"]);
});
