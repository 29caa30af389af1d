import { rmSync, symlinkSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { editFileTool, writeFileTool } from "./edit-files.js";
import { globTool, listDirectoryTool } from "./list-files.js";
import { runCommandTool } from "./run-command.js";
import { searchTool } from "./search.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Session with the files `one`, `two` and `.env`, and a folder elsewhere. `lead` makes a name a link. */
async function exchanging() {
  const session = await createToolContext();
  const { cwd, context } = session;
  for (const name of ["one", "two"]) await writeFile(join(cwd, name), "text");
  await writeFile(join(cwd, ".env"), "KEY=1");
  await mkdir(join(cwd, "sub"));
  await writeFile(join(cwd, "sub/inner.txt"), "inner");
  const elsewhere = await createFolder();
  await writeFile(join(elsewhere, "private.txt"), "private");
  const lead = (name: string, target: string) => {
    rmSync(join(cwd, name), { force: true, recursive: true });
    symlinkSync(target, join(cwd, name));
  };
  const { workspace } = context;
  /** Calls `work` after each call of a method of the workspace. */
  const after = (method: "folder" | "guards" | "read", work: () => void) =>
    Object.assign(context, {
      workspace: {
        ...workspace,
        [method]: async (...given: readonly unknown[]) => {
          const done = await (workspace[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given);
          work();
          return done;
        },
      },
    });
  return { ...session, elsewhere, lead, after };
}

it("defect S101: an edit is written to no other file than the one that the question was about", async () => {
  const cases = [
    [writeFileTool, { path: "link", text: "new" }],
    [editFileTool, { path: "link", edits: [{ oldText: "text", newText: "new" }] }],
  ] as const;
  for (const [tool, input] of cases) {
    const { cwd, turn, lead, use } = await exchanging();
    lead("link", "one");
    turn.answer = () => {
      lead("link", "two");
      return "allow_once";
    };
    await expect(use(tool, input)).rejects.toMatchObject({ code: "stale" });
    expect([await readFile(join(cwd, "one"), "utf8"), await readFile(join(cwd, "two"), "utf8")]).toEqual([
      "text",
      "text",
    ]);
  }
});

it("defect S101: a link that is exchanged after the last check leads no edit to another file", async () => {
  for (const method of ["guards", "read"] as const) {
    const { cwd, turn, lead, after, use } = await exchanging();
    await mkdir(join(cwd, ".git/hooks"), { recursive: true });
    let calls = 0;
    const last = method === "guards" ? 3 : 2;
    after(method, () => {
      calls += 1;
      if (calls === last) lead("sub", ".git/hooks");
    });
    turn.answer = () => "allow_once";
    await expect(use(writeFileTool, { path: "sub/inner.txt", text: "evil" })).rejects.toThrow();
    expect(await readdir(join(cwd, ".git/hooks"))).toEqual([]);
  }
});

it("defect S102: a search gives no line of a file that a link has replaced since it was found", async () => {
  vi.stubEnv("PATH", "");
  const { context, lead, textOf } = await exchanging();
  const { workspace } = context;
  const isSecret: typeof workspace.isSecret = (path) => {
    if (path.endsWith("one")) lead("one", ".env");
    return workspace.isSecret(path);
  };
  Object.assign(context, { workspace: { ...workspace, isSecret } });
  expect(await textOf(searchTool, { pattern: "KEY|text" })).toBe("two:1: text");
});

it("defect S103: a folder that a link has replaced since its check shows nothing of the link's target", async () => {
  for (const [tool, input] of [
    [listDirectoryTool, { path: "sub" }],
    [globTool, { path: "sub", pattern: "**" }],
    [searchTool, { path: "sub", pattern: "private" }],
  ] as const) {
    const { elsewhere, lead, after, textOf } = await exchanging();
    after("folder", () => lead("sub", elsewhere));
    expect(await textOf(tool, input).catch((error: Error) => error.message)).not.toContain("private.txt");
  }
});

it.skipIf(process.platform === "win32")(
  "defect S105: a command runs in the folder that the question named, or not at all",
  async () => {
    const { cwd, turn, elsewhere, lead, use, textOf } = await exchanging();
    await mkdir(join(cwd, "other"));
    lead("place", "sub");
    for (const [path, target, code] of [
      ["place", "other", "stale"],
      ["sub", elsewhere, "outside"],
    ] as const) {
      turn.answer = () => {
        lead(path, target);
        return "allow_once";
      };
      await expect(use(runCommandTool, { command: "pwd", path })).rejects.toMatchObject({ code });
    }
    turn.answer = () => "allow_once";
    expect(await textOf(runCommandTool, { command: "pwd", path: "place" })).toContain(join(cwd, "other"));
  },
);
