import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findProgram, safeEnvironment } from "./program-search.js";

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
  expect(await findProgram("tool", { env, distrusted: "nothing" })).toBe(join(project, "tool"));
  for (const folder of [project, named, `${project}/`, `${project}/.`, `${named}/../project`]) {
    expect(await findProgram("tool", { env, distrusted: [folder] })).toBe(join(good, "tool"));
    expect(safeEnvironment({ PATH: [project, `${project}/./`, named, good].join(":") }, [folder]).PATH).toBe(good);
  }
});

describe("defect S47: no program of a folder that others write", () => {
  test("is found in any of several folders, or in the project around one", async () => {
    const { one, two, sub, good } = await folders("one", "two", "around/bin", "around/sub", "good").then((all) => ({
      ...{ one: all.one, two: all.two, good: all.good },
      ...{ bin: all["around/bin"], sub: all["around/sub"] },
    }));
    await mkdir(join(sub, "..", ".git"));
    const env = { PATH: [one, two, join(sub, "..", "bin"), good].join(":") };
    expect(await findProgram("tool", { env, distrusted: [one, two, sub] })).toBe(join(good, "tool"));
    expect(safeEnvironment(env, [sub, two, one])).toEqual({ PATH: good });
  });

  test("is found through a link that lies in a folder, wherever the link leads", async () => {
    const { project, away, good } = await folders("project", "away", "good");
    // The way to the first program passes the project, and ends outside of it.
    await symlink(join(away, "tool"), join(project, "inner"));
    await symlink(away, join(project, "folder"));
    const { link, way } = await folders("link", "way");
    await rm(join(link, "tool"));
    await symlink(join(project, "inner"), join(link, "tool"));
    await rm(way, { recursive: true });
    await symlink(join(project, "folder"), way);
    await symlink(join(project, "folder", "deep"), join(link, "deep"));
    const paths = [link, way, `${way}/`, `${link}/deep/../../project`];
    for (const path of paths) {
      const env = { PATH: [path, good].join(":") };
      expect(await findProgram("tool", { env, distrusted: [project] })).toBe(join(good, "tool"));
    }
    expect(safeEnvironment({ PATH: [...paths.slice(1), good].join(":") }, [project]).PATH).toBe(good);
  });

  test("is found in the project in which this process works", async () => {
    const { project, good } = await folders("project", "good");
    await writeFile(join(project, "package.json"), "{}");
    vi.spyOn(process, "cwd").mockReturnValue(project);
    onTestFinished(() => void vi.restoreAllMocks());
    const env = { PATH: [project, good].join(":") };
    expect(await findProgram("tool", { env, distrusted: [] })).toBe(join(good, "tool"));
    await rm(join(project, "package.json"));
    expect(await findProgram("tool", { env, distrusted: [] })).toBe(join(project, "tool"));
    vi.spyOn(process, "cwd").mockImplementation(() => {
      throw new Error("ENOENT: the current folder was removed");
    });
    expect(await findProgram("tool", { env, distrusted: [good] })).toBe(join(project, "tool"));
  });

  test("is found by a name in another case where systems ignore case", async () => {
    const { project, good } = await folders("Project", "good").then((all) => ({
      project: all.Project,
      good: all.good,
    }));
    const env = { PATH: [project, good].join(":") };
    const distrusted = [project.replace("Project", "pROJECT")];
    expect(await findProgram("tool", { env, distrusted, platform: "darwin" })).toBe(join(good, "tool"));
    expect(await findProgram("tool", { env, distrusted, platform: "linux" })).toBe(join(project, "tool"));
  });

  // In a worker thread, `HOME` of the process cannot be changed.
  test.runIf(isMainThread)(
    "is found below the user's home if that is a folder of the session, unless a person chose it",
    async () => {
      const { home, good } = await folders("home/bin", "good").then((all) => ({
        home: all["home/bin"],
        good: all.good,
      }));
      vi.stubEnv("HOME", join(home, ".."));
      onTestFinished(() => void vi.unstubAllEnvs());
      const place = { env: { PATH: [home, good].join(":") }, distrusted: [join(home, "..")] };
      expect(await findProgram("tool", place)).toBe(join(good, "tool"));
      expect(await findProgram("tool", { ...place, isChosen: true })).toBe(join(home, "tool"));
    },
  );
});

test.skipIf(process.platform === "win32")("a program that everybody can replace is left out on request", async () => {
  const { file, folder, good } = await folders("file", "folder", "good");
  await chmod(join(file, "tool"), 0o777);
  await chmod(folder, 0o777);
  const place = { env: { PATH: [file, folder, good].join(":") }, distrusted: [] };
  expect(await findProgram("tool", place)).toBe(join(file, "tool"));
  expect(await findProgram("tool", { ...place, owned: true })).toBe(join(good, "tool"));
});
