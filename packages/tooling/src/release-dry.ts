import { execFileSync, execSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPublishable, readWorkspaces, root, type Workspace } from "./workspace.js";

// Runs a release without its last step: prints the next versions, runs the packing steps of the gate, and runs both
// programs from their tarballs.
const programs: Readonly<Record<string, string>> = { "cli-agent": "turnkit-agent", "node-client": "turnkit" };
const folder = mkdtempSync(join(tmpdir(), "turnkit-release-"));

try {
  show("what would be released", "npx -y pnpm@10 exec changeset status --verbose");
  show("packages", "npx -y pnpm@10 check build package packed");
  const workspaces = readWorkspaces();
  const tarballs = workspaces.filter(({ name }) => name in programs).map(packProgram);
  tryPrograms(tarballs);
  list([...workspaces.filter(isPublishable).map(({ folder }) => join(root, folder, ".pack/package.tgz")), ...tarballs]);
  process.stdout.write("\nrelease:dry passed. To release: changeset version, commit, changeset publish.\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(title: string, command: string): void {
  process.stdout.write(`\n── ${title}\n`);
  execSync(command, { cwd: root, stdio: "inherit" });
}

function packProgram(workspace: Workspace): string {
  const tarball = join(folder, `${workspace.name}.tgz`);
  execSync(`npx -y pnpm@10 --filter ${workspace.manifest.name} build`, { cwd: root, stdio: "ignore" });
  execSync(`npx -y pnpm@10 pack --out ${JSON.stringify(tarball)}`, {
    cwd: join(root, workspace.folder),
    stdio: "ignore",
  });
  return tarball;
}

/** Installs both programs into an empty project, prints their versions, and runs a turn of the client with the agent. */
function tryPrograms(tarballs: readonly string[]): void {
  process.stdout.write("\n── programs from their tarballs\n");
  const project = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(join(project, "cart.ts"), "export const total = (items: number[]) => items.length == 0 ? 0 : 1;\n");
  const run = (file: string, args: readonly string[]) =>
    execFileSync(file, args, { cwd: project, encoding: "utf8", shell: process.platform === "win32" });
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...tarballs]);
  const bin = join(project, "node_modules/.bin");
  for (const name of Object.values(programs)) {
    process.stdout.write(`${name} ${run(join(bin, name), ["--version"]).trim()}\n`);
  }
  const said = run(join(bin, "turnkit"), [
    "--permissions",
    "deny",
    "cart.ts",
    "--",
    join(bin, "turnkit-agent"),
    "--model",
    "reviewer",
  ]);
  if (!/cart\.ts/.test(said)) throw new Error(`The packed client and agent did not get through a turn:\n${said}`);
  process.stdout.write("turnkit drove turnkit-agent through a turn\n");
  for (const name of readdirSync(join(project, "node_modules/@turnkit"))) {
    if (!(name in programs)) throw new Error(`A program needs @turnkit/${name} from the registry: bundle it.`);
  }
}

function list(tarballs: readonly string[]): void {
  process.stdout.write("\n── tarballs\n");
  for (const path of tarballs) {
    const files = execFileSync("tar", ["-tzf", path], { encoding: "utf8" }).trim().split("\n").length;
    const name = path.endsWith("package.tgz") ? path.split(/[\\/]/).at(-3) : path.split(/[\\/]/).at(-1);
    process.stdout.write(`${name}: ${(statSync(path).size / 1024).toFixed(0)} KiB, ${files} files\n`);
  }
}
