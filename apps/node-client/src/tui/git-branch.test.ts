import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readBranch } from "./git-branch.js";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-branch-")));
  await mkdir(join(folder, ".git"));
  await mkdir(join(folder, "src", "deep"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const head = (text: string) => writeFile(join(folder, ".git", "HEAD"), text);
const commit = "0123456789abcdef0123456789abcdef01234567";

it.each([
  ["ref: refs/heads/main\n", "main"],
  ["ref: refs/heads/fix/a-b", "fix/a-b"],
  [`${commit}\n`, "0123456"],
  ["ref: refs/heads/a\u001b[2Jb\u202e\n", "a␛[2Jb<U+202E>"],
  ["ref: refs/heads/a\nb", undefined],
  ["root:x:0:0\n", undefined],
  ["", undefined],
  [`ref: refs/heads/${"a".repeat(300)}`, undefined],
])("the text %j of HEAD is the branch %j", async (text, branch) => {
  await head(text);
  expect(await readBranch(join(folder, "src", "deep"))).toBe(branch);
});

it("follows the file of a worktree", async () => {
  await head("ref: refs/heads/main\n");
  await mkdir(join(folder, ".git", "worktrees", "w"), { recursive: true });
  await writeFile(join(folder, ".git", "worktrees", "w", "HEAD"), "ref: refs/heads/other\n");
  await writeFile(join(folder, "src", ".git"), "gitdir: ../.git/worktrees/w\n");
  expect(await readBranch(join(folder, "src", "deep"))).toBe("other");
});

it.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
  execFileSync("mkfifo", [join(folder, ".git", "HEAD")]);
  expect(await readBranch(folder)).toBeUndefined();
});

it("is none outside of a repository", async () => {
  expect(await readBranch(join(folder, "nowhere"))).toBeUndefined();
});
