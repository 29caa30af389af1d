import { execSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Installs packages of npm outside of the repository, unless these versions are there. Returns the folder of the
 * installation, or `undefined` if npm cannot get them.
 */
export function install(name: string, packages: string): string | undefined {
  const folder = join(tmpdir(), "turnkit-real-agents", name);
  const mark = join(folder, "installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === packages) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  try {
    execSync(`npm install --no-audit --no-fund --loglevel=error ${packages}`, { cwd: folder, stdio: "inherit" });
  } catch {
    return undefined;
  }
  writeFileSync(mark, packages);
  return folder;
}

/** Returns the programs of an installation. */
export const programsOf = (folder: string): string => join(folder, "node_modules/.bin");
