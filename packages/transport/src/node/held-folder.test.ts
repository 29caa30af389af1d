import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rpcErrorCode } from "../errors.js";
import { holdFolder, openRealFolder } from "./held-folder.js";
import { resolveRooted } from "./rooted-path.js";
import { writeRooted } from "./rooted-write.js";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-held-")));
  for (const name of ["src/deep", "other/deep"]) await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, "src/file"), "of src");
});
afterEach(() => rm(root, { recursive: true }));

/** Exchanges the folder `src` for a link to the folder `other`. */
async function exchange(): Promise<void> {
  await rename(join(root, "src"), join(root, "moved"));
  await symlink("other", join(root, "src"));
}

const replaced = { code: rpcErrorCode.invalidParams, message: expect.stringContaining("was replaced") };

describe("defect S100: a folder that a link to another folder inside the roots has replaced since its check", () => {
  it("gets no file", async () => {
    for (const name of ["src/deep/new", "src/deep/one/two/new"]) {
      const target = await resolveRooted(join(root, name), [root]);
      await exchange();
      await expect(holdFolder(target, target.path)).rejects.toMatchObject(replaced);
      await rm(join(root, "src"));
      await rename(join(root, "moved"), join(root, "src"));
    }
    expect(await readdir(join(root, "other/deep"))).toEqual([]);
  });

  it("gets no file from a caller that has checked another path", async () => {
    const { path: real } = await resolveRooted(join(root, "src/file"), [root]);
    await exchange();
    await expect(writeRooted(join(root, "src/file"), [root], "new", { real })).rejects.toMatchObject(replaced);
    await writeRooted(join(root, "src/file"), [root], "new", { real: join(root, "other/file") });
    expect(await readFile(join(root, "other/file"), "utf8")).toBe("new");
  });

  it("is not opened", async () => {
    await exchange();
    await expect(openRealFolder(join(root, "src/deep"))).rejects.toMatchObject(replaced);
    await expect(openRealFolder(join(root, "src"))).rejects.toThrow();
  });
});

it("an open folder stays the same folder when a link takes its name", async () => {
  const folder = await openRealFolder(join(root, "src"));
  if (process.platform === "linux") await exchange();
  expect((await readdir(folder.prefix)).sort()).toEqual(["deep", "file"]);
  await folder.close();
});

it("a missing folder and a file are not found", async () => {
  for (const name of ["none", "src/file"]) {
    await expect(openRealFolder(join(root, name))).rejects.toMatchObject({ code: rpcErrorCode.resourceNotFound });
  }
});
