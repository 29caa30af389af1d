import { chmod, rename, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { readGit } from "./read-git.js";

/** Creates a folder of `PATH` with a program `git` that prints its name, and a root. */
async function setUp() {
  const [folder, root] = [await createFolder(), await createFolder()];
  const { PATH } = process.env;
  const put = async (place: string, name: string) => {
    await writeFile(join(place, "git"), `#!/bin/sh\necho ${name}\n`);
    await chmod(join(place, "git"), 0o755);
  };
  const search = (...folders: readonly string[]) => vi.stubEnv("PATH", [...folders, PATH].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  await put(folder, "first");
  search(folder);
  const run = async (roots: readonly string[]) =>
    (await readGit(root, ["version"], { roots, signal: new AbortController().signal })).output;
  return { folder, roots: [root], put, search, run };
}

describe.skipIf(process.platform === "win32")("the program Git of a session", () => {
  it("is found once: a program that comes earlier in PATH later is not started", async () => {
    const { folder, roots, put, search, run } = await setUp();
    const earlier = await createFolder();
    search(earlier, folder);
    expect(await run(roots)).toBe("first\n");
    await put(earlier, "second");
    expect(await run(roots)).toBe("first\n");
    expect(await run([...roots])).toBe("second\n");
  });

  it("is found again after it was moved, or after PATH changed", async () => {
    const { folder, roots, put, search, run } = await setUp();
    expect(await run(roots)).toBe("first\n");
    const other = await createFolder();
    await put(other, "second");
    search(other, folder);
    expect(await run(roots)).toBe("second\n");
    await rename(join(other, "git"), join(other, "gone"));
    expect(await run(roots)).toBeUndefined();
    expect(await run(roots)).toBe("first\n");
  });
});
