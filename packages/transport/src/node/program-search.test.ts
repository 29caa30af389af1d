import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findProgram } from "./program-search.js";

/** Creates folders with a program `tool` each, and returns their paths. */
async function folders<Name extends string>(...names: readonly Name[]): Promise<Record<Name, string>> {
  const root = await mkdtemp(join(tmpdir(), "programs-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const all = {} as Record<Name, string>;
  for (const name of names) {
    all[name] = join(root, name);
    await mkdir(all[name], { recursive: true });
    await writeFile(join(all[name], "tool"), "", { mode: 0o755 });
  }
  return all;
}

test("no program inside the given folders is found, also through links", async () => {
  const { project, link, named, good } = await folders("project", "link", "good", "named");
  await rm(join(link, "tool"));
  await symlink(join(project, "tool"), join(link, "tool"));
  await rm(named, { recursive: true });
  await symlink(project, named);
  const env = { PATH: [project, link, named, good].join(":") };
  expect(await findProgram("tool", { env })).toBe(join(project, "tool"));
  for (const outside of [project, named]) {
    expect(await findProgram("tool", { env, outside: [outside] })).toBe(join(good, "tool"));
  }
});

test.skipIf(process.platform === "win32")("a program that everybody can replace is left out on request", async () => {
  const { file, folder, good } = await folders("file", "folder", "good");
  await chmod(join(file, "tool"), 0o777);
  await chmod(folder, 0o777);
  const env = { PATH: [file, folder, good].join(":") };
  expect(await findProgram("tool", { env })).toBe(join(file, "tool"));
  expect(await findProgram("tool", { env, owned: true })).toBe(join(good, "tool"));
});
