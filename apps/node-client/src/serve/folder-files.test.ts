import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { answerFiles } from "./folder-files.js";

async function madeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-files-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "cart.ts"), "");
  return folder;
}
const ask = async (query: Record<string, string>) => {
  const answer = await answerFiles(
    new Request(`http://127.0.0.1/files.json?${new URLSearchParams(query)}`),
    process.env,
  );
  return ((await answer.json()) as { readonly files: unknown }).files;
};

it("SHARE-13 defect E11: the files of a folder are listed, and names=0 only looks for the folder", async () => {
  const folder = await madeFolder();
  expect(await ask({ folder })).toEqual(["src/cart.ts"]);
  expect(await ask({ folder, names: "0" })).toEqual([]);
});

it("SHARE-13 defect E12: a folder that is missing, relative, or a file has no list", async () => {
  const folder = await madeFolder();
  for (const one of ["", "relative", join(folder, "missing"), join(folder, "src/cart.ts"), "\0"])
    expect(await ask({ folder: one, names: "0" })).toBeNull();
});
