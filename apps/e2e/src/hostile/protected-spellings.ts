import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProject } from "../models/coding-agent.js";

/** Content of every protected file before and after each attack. */
export const KEPT = "as it was\n";

/** Files that make programs run something, instruct agents or hold secrets. */
export const protectedFiles: readonly string[] = [
  ".git/config",
  ".git/hooks/pre-commit",
  ".vscode/tasks.json",
  ".env",
  ".envrc",
  ".npmrc",
  ".bashrc",
  "AGENTS.md",
  "sub/.git/config",
  "sub/CLAUDE.md",
  ".github/workflows/ci.yml",
  "node_modules/.bin/jest",
];

/** Paths that lead to one of them, or would on some file system. `~` stands for the folder of the project. */
export const spellings: readonly string[] = [
  ...protectedFiles,
  "./.git/config",
  "sub/../.git/config",
  "sub/./../.git//config",
  ".GIT/config",
  ".Git/HOOKS/pre-commit",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "GIT~1/config",
  ".g\u200cit/config",
  ".gi\u00adt/config",
  "\uff0egit/config",
  ".g\u0131t/config",
  ".ENV",
  ".env.",
  ".env ",
  ".env::$DATA",
  ".env\u200b",
  ".envrc.",
  "Agents.md",
  "AGENT\u017f.md",
  "agents.md:stream",
  "~/.git/config",
  "~/sub/../.npmrc",
  "~/../~/.env",
  "/proc/self/cwd/.git/config",
  "/proc/self/root~/.env",
  "/dev/fd/../../..~/.envrc",
  "link-to-git/config",
  "link-to-config",
  "link-to-link",
  "link-to-env",
  "dangling",
  "sub/up/.git/config",
  "link-to-hooks/post-checkout",
  ".git\\config",
  "new/.git/config",
  "new/.git",
  "new/HEAD",
  ".gitmodules",
  ".mcp.json",
];

/** A project with the files and links to them. */
export async function createGuardedProject(): Promise<string> {
  const folder = await createProject(Object.fromEntries(protectedFiles.map((name) => [name, KEPT])));
  await mkdir(join(folder, ".git/hooks"), { recursive: true });
  const links = {
    "link-to-git": ".git",
    "link-to-config": ".git/config",
    "link-to-link": "link-to-config",
    "link-to-env": join(folder, ".env"),
    "link-to-hooks": ".git/hooks",
    "sub/up": "..",
    dangling: ".git/hooks/post-checkout",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
  await link(join(folder, ".git/config"), join(folder, "second-name"));
  await mkdir(dirname(join(folder, "src/a.ts")), { recursive: true });
  await writeFile(join(folder, "src/a.ts"), KEPT);
  return folder;
}

/** Returns a spelling as an absolute path, or relative where it is. */
export const spelledIn = (folder: string, spelling: string): string => spelling.replaceAll("~/", `${folder}/`);
