import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { gitDiffTool, gitLogTool } from "./git-tools.js";

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    encoding: "utf8",
  });

async function write(cwd: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(cwd, name, ".."), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
}

/** Creates a repository with one commit. */
async function repository(setting: Parameters<typeof createToolContext>[0] = {}) {
  const session = await createToolContext(setting);
  const { cwd } = session;
  git(cwd, "init", "-q");
  await write(cwd, { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n", "old.ts": "old\n", ".gitignore": "dist/\n" });
  git(cwd, "add", "-A");
  git(cwd, "commit", "-qm", "First");
  const diff = (input: object = {}) => session.textOf(gitDiffTool, input);
  return { ...session, diff, log: (input: object = {}) => session.textOf(gitLogTool, input) };
}

describe("defect P1: git_diff", () => {
  it("defect S95: shows no secret through a link with a harmless name", async () => {
    const { cwd, diff } = await repository();
    await write(cwd, { ".env": "KEY=1\n" });
    await symlink(".env", join(cwd, "notes.txt"));
    await rm(join(cwd, "src/a.ts"));
    await symlink("../.env", join(cwd, "src/a.ts"));
    const text = await diff();
    expect(text).toContain("+++ b/notes.txt\n[It is not shown");
    expect(text).toContain("+++ b/src/a.ts\n[It is not shown");
    expect(text).not.toContain("KEY");
  });

  it("returns what is not committed: changed, staged, deleted and new files", async () => {
    const { cwd, diff, turn } = await repository();
    expect(await diff()).toBe("Nothing has changed.");
    await write(cwd, {
      "src/a.ts": "one\n2\nthree\n",
      "src/new.ts": "new\n",
      "dist/built.js": "ignored\n",
      "src/b.ts": "B\n",
    });
    git(cwd, "add", "src/b.ts");
    await rm(join(cwd, "old.ts"));
    const text = await diff();
    expect(text).toContain("--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
    expect(text).toContain("--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,1 +1,1 @@\n-b\n+B\n");
    expect(text).toContain("--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,1 @@\n+new");
    expect(text).toContain("--- a/old.ts\n+++ /dev/null\n");
    expect(text).not.toContain("built.js");
    expect(await diff({ names: true })).toBe(
      "deleted\told.ts\nchanged\tsrc/a.ts\nchanged\tsrc/b.ts\nuntracked\tsrc/new.ts",
    );
    expect(await diff({ path: "src/a.ts", names: true })).toBe("changed\ta.ts");
    expect(await diff({ path: "src", names: true })).not.toContain("old.ts");
    expect(turn.questions).toEqual([]);
  });

  it("returns what a branch or a commit has changed", async () => {
    const { cwd, diff, log } = await repository();
    git(cwd, "checkout", "-qb", "feature");
    await write(cwd, { "src/a.ts": "one\n2\nthree\n" });
    git(cwd, "commit", "-qam", "Second");
    await write(cwd, { "src/b.ts": "B\n" });
    expect(await diff({ names: true })).toBe("changed\tsrc/b.ts");
    expect(await diff({ from: "main", names: true })).toBe("changed\tsrc/a.ts\nchanged\tsrc/b.ts");
    expect(await diff({ from: "HEAD~1", to: "HEAD" })).toContain("-two\n+2\n");
    expect(await diff({ from: "HEAD~1", to: "HEAD", names: true })).toBe("changed\tsrc/a.ts");
    expect(await log()).toMatch(/^[0-9a-f]+\t\d{4}-\d\d-\d\d\tAnn\tSecond\n[0-9a-f]+\t.*\tFirst$/);
    expect(await log({ path: "src/b.ts", limit: 5 })).toMatch(/^[0-9a-f]+\t.*\tFirst$/);
  });

  it.each(["--output=x", "-p", ":/First", "main..HEAD", "HEAD --output=x", "missing", ""])(
    "takes only the name of a commit: %j",
    async (from) => {
      const { cwd, use } = await repository();
      await expect(use(gitDiffTool, { from })).rejects.toMatchObject({ name: "ToolError" });
      await expect(use(gitLogTool, { from })).rejects.toMatchObject({ name: "ToolError" });
      expect(existsSync(join(cwd, "x"))).toBe(false);
    },
  );

  it("works before the first commit, in an inner folder, and in a linked worktree", async () => {
    const { cwd, textOf } = await createToolContext();
    git(cwd, "init", "-q");
    await write(cwd, { "in/a.ts": "one\n" });
    expect(await textOf(gitDiffTool, { names: true })).toBe("untracked\tin/a.ts");
    git(cwd, "add", "-A");
    expect(await textOf(gitDiffTool, { path: "in" })).toContain("+++ b/a.ts\n@@ -0,0 +1,1 @@\n+one");
    git(cwd, "commit", "-qm", "First");
    const session = await createToolContext();
    git(cwd, "worktree", "add", "-q", "--force", session.cwd, "-b", "other");
    await write(session.cwd, { "in/a.ts": "two\n" });
    expect(await session.textOf(gitDiffTool, { names: true })).toBe("changed\tin/a.ts");
  });

  it("shows what the editor has, and neither secrets, nor what is no text, nor line ends that Git changes", async () => {
    const { cwd, diff } = await repository({
      client: { read: async (path) => (path.endsWith("b.ts") ? "unsaved\n" : readFile(path, "utf8")) },
    });
    await write(cwd, {
      "src/a.ts": "one\r\ntwo\r\nthree\r\n",
      "src/b.ts": "saved\n",
      ".env": "KEY=1\n",
      "x.bin": Buffer.from([0, 1, 2]),
    });
    const text = await diff();
    expect(text).toContain("-b\n+unsaved");
    expect(text).not.toContain("KEY");
    expect(text).not.toContain("a.ts");
    expect(text).toContain("x.bin\n[It is not shown: `x.bin` is not a text file.]");
    expect(text).toContain("[1 changed files may hold secrets and are left out.]");
  });

  it("is bounded", async () => {
    const { cwd, diff } = await repository();
    const files = Array.from({ length: 130 }, (_, at) => [`many/${at}.txt`, "x".repeat(at === 0 ? 900_000 : 10)]);
    await write(cwd, Object.fromEntries(files));
    const text = await diff();
    expect(text.length).toBeLessThan(110_000);
    expect(text).toContain("[The diff is cut here.");
    expect(text).toContain("[Not shown: ");
  });

  it("says so where there is no repository", async () => {
    const { use } = await createToolContext();
    await expect(use(gitDiffTool, {})).rejects.toMatchObject({ code: "unsupported" });
    await expect(use(gitDiffTool, { path: ".." })).rejects.toMatchObject({ code: "outside" });
  });
});

describe("a hostile repository", () => {
  /** Program that leaves a mark, and what it is called by. */
  async function hostile() {
    const session = await repository();
    const mark = join(await createFolder(), "mark");
    const evil = join(await createFolder(), "evil");
    await writeFile(evil, `#!/bin/sh\ntouch ${mark}\ncat\n`);
    await chmod(evil, 0o755);
    const expectQuiet = async () => {
      for (const input of [{}, { names: true }, { from: "HEAD~1" }, { from: "HEAD~1", to: "HEAD" }]) {
        await session.use(gitDiffTool, input).catch(() => undefined);
      }
      await session.use(gitLogTool, {}).catch(() => undefined);
      expect(existsSync(mark)).toBe(false);
    };
    await write(session.cwd, { "src/a.ts": "one\n2\n" });
    git(session.cwd, "commit", "-qam", "Second");
    await write(session.cwd, { "src/a.ts": "one\n3\n", "src/b.ts": "B\n" });
    return { ...session, mark, evil, expectQuiet };
  }

  it.each([
    ["core.fsmonitor"],
    ["filter.x.clean"],
    ["filter.x.process"],
    ["filter.a=b.clean"],
    ["diff.external"],
    ["diff.x.command"],
    ["diff.x.textconv"],
    ["core.pager"],
    ["pager.log"],
    ["pager.diff"],
    ["gpg.program"],
    ["core.sshCommand"],
    ["core.alternateRefsCommand"],
    ["core.editor"],
  ])("starts no program of %s", async (name) => {
    const { cwd, evil, expectQuiet } = await hostile();
    const [, filter = "x"] = /^filter\.(.*)\.[^.]*$/.exec(name) ?? [];
    await write(cwd, { ".gitattributes": `* filter=${filter} diff=x\n` });
    for (const [key, value] of [
      [name, evil],
      ["log.showSignature", "true"],
      ["filter.x.required", "true"],
    ]) {
      git(cwd, "config", key as string, value as string);
    }
    await expectQuiet();
  });

  it("starts no hook, and no program of a submodule", async () => {
    const { cwd, evil, expectQuiet } = await hostile();
    const inner = join(cwd, "sub");
    await mkdir(inner);
    git(inner, "init", "-q");
    await write(inner, { "x.ts": "x\n" });
    git(inner, "add", "-A");
    git(inner, "commit", "-qm", "x");
    git(cwd, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "./sub", "sub");
    git(cwd, "commit", "-qm", "Submodule");
    git(inner, "config", "core.fsmonitor", evil);
    await write(inner, { "x.ts": "y\n" });
    for (const setting of ["diff.submodule", "status.submoduleSummary"]) git(cwd, "config", setting, "diff");
    for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
      await write(cwd, { [`.git/hooks/${hook}`]: `#!/bin/sh\n${evil}\n` });
      await chmod(join(cwd, ".git/hooks", hook), 0o755);
    }
    await expectQuiet();
  });

  it.each([
    [
      "a .git file",
      async (cwd: string, theirs: string) => {
        await rm(join(cwd, ".git"), { recursive: true });
        await writeFile(join(cwd, ".git"), `gitdir: ${theirs}/.git\n`);
      },
    ],
    ["core.worktree", async (cwd: string, theirs: string) => void git(cwd, "config", "core.worktree", theirs)],
    [
      "alternates",
      async (cwd: string, theirs: string) => {
        await write(cwd, { ".git/objects/info/alternates": `${theirs}/.git/objects\n` });
      },
    ],
    [
      "a commondir",
      async (cwd: string, theirs: string) => {
        await writeFile(join(cwd, ".git/commondir"), `${theirs}/.git\n`);
      },
    ],
  ])("does not lead to a repository of the user: %s", async (_, attack) => {
    const theirs = await repository();
    await write(theirs.cwd, { "private.ts": "private\n" });
    git(theirs.cwd, "add", "-A");
    git(theirs.cwd, "commit", "-qm", "Private");
    const { cwd, use } = await hostile();
    await attack(cwd, theirs.cwd);
    for (const [tool, input] of [
      [gitDiffTool, { from: "HEAD~1" }],
      [gitDiffTool, {}],
      [gitLogTool, {}],
    ] as const) {
      await expect(use(tool, input)).rejects.toMatchObject({ name: "ToolError" });
    }
  });
});
