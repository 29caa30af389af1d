import { execFileSync } from "node:child_process";
import { type Dir, existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { listCandidateFiles } from "./candidate-files.js";

/** Name of a folder that opens, and refuses to be read after its first entry. */
const UNREADABLE = "opens-only";
vi.mock(import("node:fs/promises"), async (original) => {
  const real = await original();
  const opendir = async (path: string): Promise<Dir> => {
    const folder = await real.opendir(path);
    if (!path.endsWith(UNREADABLE)) return folder;
    const [first] = await real.readdir(path, { withFileTypes: true });
    async function* entries() {
      yield first;
      throw new Error("EACCES: permission denied, readdir");
    }
    return entries() as unknown as Dir;
  };
  return { ...real, opendir: opendir as typeof real.opendir };
});

const made: string[] = [];
let directory = "";
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-candidates-")));
  made.push(directory);
});
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

const write = async (...names: string[]) => {
  for (const name of names) {
    await mkdir(join(directory, name, ".."), { recursive: true });
    await writeFile(join(directory, name), "");
  }
};
const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "ignore" });
const listed = async (env: NodeJS.ProcessEnv = process.env) => [...(await listCandidateFiles(directory, env))].sort();

describe("defect P16: candidates for @", () => {
  it("a repository lists its files, new files, and nothing that it ignores at any level", async () => {
    await write("a.ts", "new.ts", "out/x.js", "src/b.ts", "src/b.log", "node_modules/m/index.js");
    await writeFile(join(directory, ".gitignore"), "out\nnode_modules\n");
    await writeFile(join(directory, "src/.gitignore"), "*.log\n");
    git("init");
    git("add", "a.ts");
    expect(await listed()).toEqual([".gitignore", "a.ts", "new.ts", "src/.gitignore", "src/b.ts"]);
  });

  it.skipIf(process.platform === "win32")(
    "defect S47: the project in which the program was started cannot bring a Git for another folder",
    async () => {
      await write("a.ts");
      git("init");
      const own = await realpath(await mkdtemp(join(tmpdir(), "turnkit-own-")));
      made.push(own);
      await writeFile(join(own, "package.json"), "{}");
      await writeFile(join(own, "git"), `#!/bin/sh\ntouch "${own}/started"\n`, { mode: 0o755 });
      const cwd = vi.spyOn(process, "cwd").mockReturnValue(own);
      const paths = await listed({ ...process.env, PATH: `${own}:${process.env.PATH}` });
      cwd.mockRestore();
      expect([paths, existsSync(join(own, "started"))]).toEqual([["a.ts"], false]);
    },
  );

  it("a repository cannot start a program, by a monitor or by a fetch", async () => {
    await write("a.ts");
    const spy = join(directory, "spy.sh");
    await writeFile(spy, `#!/bin/sh\ntouch "${directory}/ran"\n`, { mode: 0o755 });
    git("init");
    // A rule in the index whose content is missing, as in a sparse clone.
    git("update-index", "--add", "--cacheinfo", `100644,${"1".repeat(40)},.gitignore`);
    git("update-index", "--skip-worktree", ".gitignore");
    const config = `
      [core]\nfsmonitor = ${spy}\nsshCommand = ${spy}\npager = ${spy}
      [protocol "ext"]\nallow = always
      [extensions]\npartialClone = origin
      [remote "origin"]\npromisor = true\nurl = ext::${spy}`;
    await appendFile(join(directory, ".git/config"), config);
    await listed();
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  it("defect E17: a folder that opens and cannot be read leaves the files of the others in the list", async () => {
    await write("a.ts", `${UNREADABLE}/b.ts`, "other/c.ts");
    expect(await listed({})).toEqual(["a.ts", `${UNREADABLE}/b.ts`, "other/c.ts"]);
  });

  it("elsewhere, and without Git, dependencies are left out, and links are not followed", async () => {
    await write("a.ts", "src/b.ts", "node_modules/m/index.js");
    await symlink("/", join(directory, "root"));
    expect(await listed()).toEqual(["a.ts", "src/b.ts"]);
    expect(await listed({ PATH: "/nowhere" })).toEqual(["a.ts", "src/b.ts"]);
  });

  it("a program of the project is not taken for Git", async () => {
    await write("package.json", "a.ts");
    await writeFile(join(directory, "git"), `#!/bin/sh\ntouch "${directory}/ran"\n`, { mode: 0o755 });
    await listed({ PATH: directory });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  it("names that a person could not see are left out", async () => {
    await write("a.ts", "b\nc.ts", "d\u202ee.ts");
    expect(await listed()).toEqual(["a.ts"]);
  });

  it("a large folder is cut", async () => {
    git("init");
    const names = Array.from({ length: 20_050 }, (_, index) => `f${index}`);
    const entries = names.map((name) => `100644 ${"1".repeat(40)} 0\t${name}`).join("\n");
    execFileSync("git", ["update-index", "--index-info"], { cwd: directory, input: `${entries}\n` });
    expect((await listed()).length).toBe(20_000);
  });

  it("a folder of long paths is cut at 2 Mi characters", async () => {
    git("init");
    const names = Array.from({ length: 4000 }, (_, index) => `${"a/".repeat(450)}f${index}`);
    const entries = names.map((name) => `100644 ${"1".repeat(40)} 0\t${name}`).join("\n");
    execFileSync("git", ["update-index", "--index-info"], { cwd: directory, input: `${entries}\n` });
    expect((await listed()).join("").length).toBeLessThan(2.2 * 1024 * 1024);
  });
});
