import { rmSync, symlinkSync } from "node:fs";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { createWorkspace } from "../workspace.js";
import { editFileTool, writeFileTool } from "./edit-files.js";
import { lintFileTool } from "./lint-file.js";
import { globTool } from "./list-files.js";
import { readFileTool } from "./read-file.js";
import { searchTool } from "./search.js";

const SECRET = "TOKEN=hunter2hunter2";

async function project(client = {}) {
  const session = await createToolContext({ client });
  const files = {
    ".git/config": "[core]\n",
    ".env": `${SECRET}\n`,
    ".env.example": "TOKEN=\n",
    ".ssh/key.ts": `export const x = "${SECRET}";\n`,
    "src/a.ts": "const a = 1;\n",
    "fixtures/bare/HEAD": "",
    "fixtures/bare/objects/.env": "",
    "fixtures/bare/refs/.env": "",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(session.cwd, name)), { recursive: true });
    await writeFile(join(session.cwd, name), text);
  }
  await symlink(".git", join(session.cwd, "folder"));
  await symlink(".git/hooks/post-checkout", join(session.cwd, "dangling"));
  await symlink(".env", join(session.cwd, "notes.txt"));
  session.turn.answer = () => "reject_once";
  return session;
}

const protectedNames = [
  ...[".git/config", ".GIT/hooks/pre-commit", "src/../.envrc", "folder/config", "dangling", "AGENTS.md", "notes.txt"],
  ...[".vscode/tasks.json", ".npmrc", ".env", "in/CLAUDE.md", ".git./x", "sub/HEAD"],
  ...["fixtures/bare/config", "fixtures/bare/hooks/pre-push"],
];

describe("defect S4: a protected file", () => {
  it.each(protectedNames)("%s is not written without a question, in any mode", async (path) => {
    for (const mode of ["ask", "accept-edits", "auto"] as const) {
      const { cwd, turn, state, use } = await project();
      // "Every edit of this session" covers none of them.
      turn.answer = () => "allow_always";
      await use(writeFileTool, { path: "src/b.ts", text: "b" });
      state.mode = mode;
      turn.answer = () => "reject_once";
      turn.questions.length = 0;
      await expect(use(writeFileTool, { path, text: "changed" })).rejects.toMatchObject({ code: "denied" });
      expect(turn.questions).toHaveLength(1);
      expect(await readFile(join(cwd, path), "utf8").catch(() => "")).not.toBe("changed");
    }
  });

  it("is written once after a yes, which is no answer for the next time", async () => {
    const { turn, state, cwd, use } = await project();
    state.mode = "auto";
    turn.answer = ({ options = [] }) => options.find(({ kind }) => kind.startsWith("allow"))?.kind;
    for (const text of ["one", "two"]) await use(writeFileTool, { path: ".vscode/tasks.json", text });
    expect(await readFile(join(cwd, ".vscode/tasks.json"), "utf8")).toBe("two");
    expect(turn.questions.map(({ options = [] }) => options.map(({ kind }) => kind))).toEqual([
      ["allow_once", "reject_once", "reject_always"],
      ["allow_once", "reject_once", "reject_always"],
    ]);
    expect(JSON.stringify(turn.questions[0])).toContain(".vscode/**");
  });

  it("stays unasked about where every edit was refused", async () => {
    const { turn, use } = await project();
    turn.answer = () => "reject_always";
    await expect(use(writeFileTool, { path: "src/b.ts", text: "b" })).rejects.toMatchObject({ code: "denied" });
    await expect(use(writeFileTool, { path: ".npmrc", text: "b" })).rejects.toMatchObject({ code: "denied" });
    expect(turn.questions).toHaveLength(1);
  });

  it("is not written where a link led to it only after the question", async () => {
    const { turn, cwd, use } = await project();
    turn.answer = () => "allow_once";
    turn.received = () => void symlink(".git/config", join(cwd, "late")).catch(() => undefined);
    await use(writeFileTool, { path: "late", text: "changed" }).catch(() => undefined);
    expect(await readFile(join(cwd, ".git/config"), "utf8")).toBe("[core]\n");
  });
});

describe("defect S24: a protected file that the client would write", () => {
  it("asks all the same", async () => {
    const written: string[] = [];
    const client = { read: async () => "", write: async (path: string) => void written.push(path) };
    const { turn, state, use } = await project(client);
    state.mode = "auto";
    for (const path of [".git/config", "folder/config", "dangling"]) {
      await expect(use(writeFileTool, { path, text: "changed" })).rejects.toMatchObject({ code: "denied" });
    }
    expect([turn.questions.length, written]).toEqual([3, []]);
  });
});

describe("defect S21: a file of secrets", () => {
  it.each([".env", "./src/../.ENV", "notes.txt", ".ssh/key.ts"])(
    "%s is not read without a question, in any mode or tool",
    async (path) => {
      for (const mode of ["ask", "accept-edits", "review", "auto"] as const) {
        const { turn, state, use } = await project();
        state.mode = mode;
        const edits = [{ oldText: SECRET, newText: "x" }];
        // A refused edit would tell whether the guess is right.
        const attempts = [use(readFileTool, { path }), use(editFileTool, { path, edits })];
        if (path.endsWith(".ts")) attempts.push(use(lintFileTool, { path }));
        for (const result of await Promise.allSettled(attempts)) {
          expect(result).toMatchObject({ status: "rejected", reason: { code: "denied" } });
        }
        expect(turn.questions).toHaveLength(attempts.length);
        expect(JSON.stringify(turn)).not.toContain("hunter2hunter2\\n");
      }
    },
  );

  it("is read after a yes, and an answer for ever covers this file alone", async () => {
    const { turn, textOf, use } = await project();
    turn.answer = () => "allow_always";
    expect(await textOf(readFileTool, { path: ".env" })).toContain(SECRET);
    expect(await textOf(readFileTool, { path: "notes.txt" })).toContain(SECRET);
    expect(turn.questions).toHaveLength(1);
    turn.answer = () => "reject_once";
    await expect(use(readFileTool, { path: ".ssh/key.ts" })).rejects.toMatchObject({ code: "denied" });
    await textOf(readFileTool, { path: ".env.example" });
    await textOf(readFileTool, { path: ".git/config" });
    expect(turn.questions).toHaveLength(2);
  });

  it.each(["with ripgrep if there is one", "without ripgrep"])("is no part of a search, %s", async (kind) => {
    const path = process.env.PATH;
    if (kind === "without ripgrep") process.env.PATH = "";
    try {
      const { turn, state, textOf, use } = await project();
      state.mode = "auto";
      for (const input of [{}, { glob: ".env" }, { glob: "*", literal: true }, { path: ".ssh" }, { path: "folder" }]) {
        expect(await textOf(searchTool, { pattern: "TOKEN=hunter", ...input })).not.toContain("hunter2");
      }
      expect(await textOf(searchTool, { pattern: "TOKEN=" })).toContain(".env.example:1");
      expect(turn.questions).toEqual([]);
      await expect(use(searchTool, { pattern: "TOKEN", secrets: true })).rejects.toMatchObject({ code: "denied" });
      turn.answer = () => "allow_once";
      expect(await textOf(searchTool, { pattern: "TOKEN", secrets: true })).toContain(SECRET);
    } finally {
      process.env.PATH = path;
    }
  });

  it("is no find of a glob unless it is asked for", async () => {
    const { textOf } = await project();
    expect(await textOf(globTool, { pattern: "**" })).toBe(".env.example\nfixtures/bare/HEAD\nsrc/a.ts");
    expect(await textOf(globTool, { pattern: "{.env,.ssh/*}" })).toMatch(/^No file matches/);
  });

  it("is not made either without a question", async () => {
    const { cwd, state, use } = await project();
    state.mode = "accept-edits";
    await expect(use(writeFileTool, { path: ".aws/credentials", text: "x" })).rejects.toMatchObject({ code: "denied" });
    await expect(stat(join(cwd, ".aws"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

it("defect S94: a link that leads to a secret after the check of its target gives nothing to the model", async () => {
  const { cwd, context, turn, use } = await createToolContext();
  await writeFile(join(cwd, ".env"), "KEY=1");
  await writeFile(join(cwd, "ok.ts"), "fine");
  await writeFile(join(cwd, "ok.png"), "fine");
  const { workspace } = context;
  for (const [tool, input] of [
    [readFileTool, { path: "link.ts" }],
    [readFileTool, { path: "link.png" }],
    [editFileTool, { path: "link.ts", edits: [{ oldText: "KEY", newText: "KEYS" }] }],
    [lintFileTool, { path: "link.ts" }],
  ] as const) {
    const link = join(cwd, input.path);
    rmSync(link, { force: true });
    symlinkSync(input.path.replace("link", "ok"), link);
    const guards: typeof workspace.guards = async (path) => {
      const found = await workspace.guards(path);
      rmSync(link);
      symlinkSync(".env", link);
      return found;
    };
    Object.assign(context, { workspace: { ...workspace, guards } });
    await expect(use(tool, input)).rejects.toThrow("was replaced before it was opened");
  }
  expect(turn.questions).toEqual([]);
});

it("defect S95: settings of a linter that are a link to a secret give nothing to the model", async () => {
  const { cwd, textOf } = await createToolContext();
  await writeFile(join(cwd, ".env"), "KEY=1");
  await writeFile(join(cwd, "a.js"), "a();");
  await symlink(".env", join(cwd, ".oxlintrc.json"));
  expect(await textOf(lintFileTool, { path: "a.js" })).not.toContain("KEY");
});

describe("defect P39: a file outside of the session's folders", () => {
  const outside = async () => {
    const session = await createToolContext();
    const folder = await createFolder();
    for (const name of ["notes.md", "more.md", ".env"]) await writeFile(join(folder, name), `of ${name}`);
    await symlink(join(folder, "notes.md"), join(folder, "link.md"));
    await symlink(join(folder, ".env"), join(folder, "plain.txt"));
    return { ...session, folder };
  };

  it("is read after a question that shows its real path, in every mode", async () => {
    for (const mode of ["ask", "accept-edits", "review", "auto"] as const) {
      const { cwd, folder, state, turn, textOf } = await outside();
      state.mode = mode;
      for (const path of [join(folder, "notes.md"), relative(cwd, join(folder, "link.md"))]) {
        expect(await textOf(readFileTool, { path })).toBe("1\tof notes.md");
      }
      expect(turn.questions).toHaveLength(2);
      expect(turn.questions[0]?.options?.[0]?.name).toBe("Read this file, which is outside of the session's folders");
      const real = join(folder, "notes.md");
      expect(turn.calls[1]).toMatchObject({ title: `Read ${real}`, locations: [{ path: real }], status: "completed" });
    }
  });

  it("is read with its folder after always, and not after a no", async () => {
    const { folder, turn, textOf, use } = await outside();
    turn.answer = () => "reject_once";
    await expect(use(readFileTool, { path: join(folder, "notes.md") })).rejects.toMatchObject({ code: "denied" });
    turn.answer = () => "allow_always";
    await textOf(readFileTool, { path: join(folder, "notes.md") });
    expect(turn.questions.at(-1)?.options?.[1]?.name).toContain(folder);
    expect(await textOf(readFileTool, { path: join(folder, "more.md") })).toBe("1\tof more.md");
    expect(turn.questions).toHaveLength(2);
  });

  it("is refused without a question if it may hold secrets, is no file, or is behind a link of the project", async () => {
    const { cwd, folder, turn, use } = await outside();
    await symlink(folder, join(cwd, "link"));
    for (const [path, code] of [
      [join(folder, ".env"), "outside"],
      [join(folder, ".ssh/no-such-key"), "outside"],
      [join(folder, "plain.txt"), "outside"],
      ["link/notes.md", "outside"],
      [folder, "directory"],
      [join(folder, "missing.md"), "not_found"],
      ["/dev/zero", "unreadable"],
    ] as const) {
      await expect(use(readFileTool, { path })).rejects.toMatchObject({ code });
    }
    expect(turn.questions).toEqual([]);
  });

  it("is not read if it becomes a link during the question", async () => {
    const { folder, turn, use } = await outside();
    turn.answer = () => {
      rmSync(join(folder, "notes.md"));
      symlinkSync(join(folder, ".env"), join(folder, "notes.md"));
      return "allow_once";
    };
    await expect(use(readFileTool, { path: join(folder, "link.md") })).rejects.toMatchObject({ code: "outside" });
  });

  it("on the machine of the client stays refused", async () => {
    const { context, turn } = await createToolContext();
    const workspace = createWorkspace({ cwd: "/no/where", roots: ["/no/where"] }, { read: async () => "x" });
    const open = readFileTool.open({ path: "/etc/hostname" }, { ...context, workspace });
    await expect(open.run()).rejects.toMatchObject({ code: "outside" });
    expect(turn.questions).toEqual([]);
  });
});
