import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isInProject } from "@turnkit/transport/node";
import { UsageError } from "../exit-code.js";

/**
 * Returns the folder in which package runners start, and removes its content. The folder is `turnkit/runner` in
 * `$XDG_CACHE_HOME`, or in `~/.cache`. Only the user can write to the folder.
 *
 * @throws UsageError if the folder is a link, belongs to another user, or is writable for other users
 */
export function runnerFolder(env: NodeJS.ProcessEnv, directory: string): string {
  const given = env.XDG_CACHE_HOME;
  const isUsable = given !== undefined && isAbsolute(given) && !isInProject(given, directory);
  const folder = join(isUsable ? given : join(homedir(), ".cache"), "turnkit", "runner");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isForeign = process.getuid !== undefined && (found.uid !== process.getuid() || (found.mode & 0o022) !== 0);
  if (!found.isDirectory() || isForeign)
    throw new UsageError(`${folder} must belong to you alone. Remove it, and start turnkit again.`);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  return folder;
}

/** Returns the environment of a package runner. Variables with settings of an npm that started turnkit are removed. */
export function runnerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
}
