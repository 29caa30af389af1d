import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { membersOf } from "../entry.js";

/** Content of `package.json` of an npm package, and the command that starts its program. */
export type RegistryPackage = { readonly packageFile: unknown; readonly command?: readonly [string, ...string[]] };

/** Name of a package in npm, perhaps with a version. Anything else could be an option of npm, an address, or a path. */
const PACKAGE = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:@[\w.+~^-]+)?$/i;

const run = promisify(execFile);

/**
 * Installs the npm package of an entry into a folder, without its scripts, and returns it. Returns `undefined` for an entry
 * without an npm package.
 *
 * @throws Error with the last lines of npm if the package cannot be installed
 */
export async function installEntryPackage(manifest: unknown, folder: string): Promise<RegistryPackage | undefined> {
  const { npx } = membersOf(membersOf(manifest).distribution);
  const { package: wanted, cmd, args } = membersOf(npx);
  if (typeof wanted !== "string") return undefined;
  if (!PACKAGE.test(wanted)) throw new Error(`The entry names no package of npm: ${wanted.slice(0, 200)}`);
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder];
  await run("npm", [...words, wanted], { shell: process.platform === "win32" });
  const name = wanted.replace(/(?<=.)@[^@/]+$/, "");
  const packageFile: unknown = JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8"));
  const { bin } = membersOf(packageFile);
  const short = name.replace(/^.*\//, "");
  const programs = typeof bin === "string" ? [short] : Object.keys(membersOf(bin));
  const program = typeof cmd === "string" ? cmd : programs.includes(short) ? short : programs[0];
  if (program === undefined || !programs.includes(program)) return { packageFile };
  const more = Array.isArray(args) ? args.map(String) : [];
  return { packageFile, command: [join(folder, "node_modules", ".bin", program), ...more] };
}
