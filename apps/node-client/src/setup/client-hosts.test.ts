import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostSession } from "@turnkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientHosts, createGuardedFiles, type HostLimits } from "./client-hosts.js";

let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-hosts-")));
  await mkdir(join(folder, ".git", "hooks"), { recursive: true });
  await symlink(join(folder, ".git"), join(folder, "docs"));
  await writeFile(join(folder, ".env"), "KEY=1");
});
afterAll(() => rm(folder, { recursive: true }));

function hostsWith(limits: HostLimits) {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const session = { sessionId: "s", cwd: folder, roots: [folder], signal: new AbortController().signal };
  return { files: createGuardedFiles(limits, { note }), hosts: createClientHosts(limits, { note }), notes, session };
}

it.each([{}, { readOnly: true }, { noTerminals: true }, { readOnly: true, noTerminals: true }] as const)(
  "defect S8: %j is what the agent is offered",
  (limits: HostLimits) => {
    const { files, terminals } = hostsWith(limits).hosts;
    expect(files.offered).toEqual({ read: true, write: limits.readOnly !== true });
    expect(terminals === undefined).toBe(limits.noTerminals === true);
  },
);

it("defect S8: each write is shown", async () => {
  const { files, notes, session } = hostsWith({});
  await files.writeTextFile?.({ path: join(folder, "a.txt"), content: "text" }, session as HostSession);
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("text");
  expect(notes).toEqual([`The agent wrote ${join(folder, "a.txt")} (4 characters).`]);
});

describe("defect S24: the client's own files", () => {
  it.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    "docs/config",
    "sub/../.git/x",
    "AGENTS.md",
    ".npmrc",
    ".vscode/tasks.json",
  ])("do not write %s", async (name) => {
    const { files, notes, session } = hostsWith({});
    const path = `${folder}/${name}`;
    await expect(files.writeTextFile?.({ path, content: "x" }, session as HostSession)).rejects.toThrow();
    expect(notes).toEqual([expect.stringContaining(`The agent was refused ${path}`)]);
  });

  it("do not read secrets", async () => {
    const { files, session } = hostsWith({});
    await expect(files.readTextFile?.({ path: join(folder, ".env") }, session as HostSession)).rejects.toThrow();
  });
});
