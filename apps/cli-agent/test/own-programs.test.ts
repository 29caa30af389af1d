import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openShadowGit } from "../src/checkpoints/shadow-git.js";
import { startOf } from "../src/mcp/server-start.js";
import { openSandbox } from "../src/sandbox/open-sandbox.js";
import { readFacts } from "../src/session-facts.js";
import { gitDiffTool, gitLogTool } from "../src/tools/git-tools.js";
import { runCommandTool } from "../src/tools/run-command.js";
import { searchTool } from "../src/tools/search.js";
import { createFolder, createToolContext } from "./tool-context.js";

beforeEach(() => void vi.unstubAllEnvs());

/** Creates a session with two repositories. A folder of `PATH` in one of them has programs that leave a mark. */
async function openTwo(place: (roots: readonly [string, string], outside: string) => Promise<string>) {
  const [two, outside] = [await createFolder(), await createFolder()];
  const session = await createToolContext({ roots: [two] });
  const roots = [session.cwd, two] as const;
  for (const root of roots) {
    execFileSync("git", ["init", "-q", root]);
    await writeFile(join(root, "a.txt"), "text\n");
  }
  const folder = await place(roots, outside);
  const mark = join(outside, "mark");
  for (const name of ["git", "rg", "npx", "bwrap", "stat", "id", "uname", "sw_vers"]) {
    await writeFile(join(folder, name), `#!/bin/sh\necho ${name} >> ${mark}\nexit 1\n`);
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
  const started = async () => (existsSync(mark) ? readFile(mark, "utf8") : "");
  return { ...session, roots, two, outside, started };
}

const made = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  return folder;
};

const places: readonly (readonly [string, Parameters<typeof openTwo>[0]])[] = [
  ["the first root", ([one]) => made(join(one, "node_modules/.bin"))],
  ["the second root", ([, two]) => made(join(two, "bin"))],
  [
    "the first root behind a link",
    async ([one], outside) => {
      await symlink(await made(join(one, "bin")), join(outside, "link"));
      return join(outside, "link");
    },
  ],
  [
    "a link of the second root",
    async ([, two], outside) => {
      await symlink(await made(join(outside, "programs")), join(two, "bin"));
      return `${join(two, "bin")}/`;
    },
  ],
];

describe.skipIf(process.platform === "win32").each(places)("defect S47: a program in %s is not started", (_, place) => {
  it("by tools, for either root and by the question about a command", async () => {
    const { roots, use, turn, started } = await openTwo(place);
    turn.answer = () => "reject_once";
    for (const root of roots) {
      await use(runCommandTool, { command: "git status", path: root }).catch(() => undefined);
      await use(gitDiffTool, { path: root }).catch(() => undefined);
      await use(gitLogTool, { path: root }).catch(() => undefined);
      await use(searchTool, { pattern: "text", path: root });
    }
    expect(await started()).toBe("");
  });

  it("by checkpoints, MCP servers, the facts of the session and the sandbox", async () => {
    const { cwd, roots, outside, context, started } = await openTwo(place);
    const { signal } = context;
    const stores = join(outside, "stores");
    for (const root of roots) await openShadowGit(stores, root, { roots, signal });
    for (const root of roots) await readFacts({ cwd: root, roots }, signal);
    const npx = { type: "stdio", name: "m", command: "npx", args: ["-y", "some-server@1"] } as const;
    const start = await startOf(npx, { cwd, roots });
    await start.leave();
    expect(start.command[0].startsWith(outside) || roots.some((root) => start.command[0].startsWith(root))).toBe(false);
    await openSandbox({ roots, env: process.env, paths: {}, signal });
    expect(await started()).toBe("");
  });
});
