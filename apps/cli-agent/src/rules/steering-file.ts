import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createPathCheck } from "@turnkit/session/paths";
import { readRooted } from "@turnkit/transport/node";
import { isOwnPath } from "../config/own-file.js";

/** Largest file that steers the agent, in bytes. A larger one counts as missing. */
const MAX_BYTES = 1024 * 1024;

/** Number of folders, from the session's folder upwards, in which a repository is searched. */
const MAX_DEPTH = 64;

const { secretBy } = createPathCheck();

/** Text of a file with its real path. `isRefused` is `true` if another user could have written the file. */
export type SteeringFile =
  | { readonly real: string; readonly text: string; readonly isRefused?: false }
  | { readonly real: string; readonly isRefused: true };

/**
 * Reads a file that steers the agent, such as rules, commands and hooks. A file that cannot be read counts as missing,
 * because the user did not ask for it.
 *
 * @param top folder that has to contain the target of each link. Without it, a link may lead anywhere: use this only
 * for files of the user.
 */
export async function readSteeringFile(path: string, top?: string): Promise<SteeringFile | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  // The text goes to the model without a question, so a link of the project must not lead to a secret.
  if (top !== undefined && secretBy(real) !== undefined) return undefined;
  const reading = top === undefined ? readOwn(real) : readRooted(path, [top], { real, maxBytes: MAX_BYTES });
  const text = (await reading.catch(() => "")).trim();
  if (text === "" || text.includes("\0")) return undefined;
  // The owner of a folder can replace the files in the folder.
  const owners = await Promise.all([dirname(path), path, real, dirname(real)].map(isOwnPath));
  return owners.includes(false) ? { real, isRefused: true } : { real, text };
}

async function readOwn(path: string): Promise<string> {
  const found = await stat(path);
  return found.isFile() && found.size <= MAX_BYTES ? readFile(path, "utf8") : "";
}

/**
 * Returns the root of the nearest repository at or above `root`. Returns `root` if there is none.
 *
 * The search ends at the home folder and at folders of other users.
 */
export async function repositoryOf(root: string): Promise<string> {
  const home = homedir();
  let folder = root;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const isRepository = existsSync(join(folder, ".git"));
    if (isRepository) return (await isOwnPath(join(folder, ".git"))) ? folder : root;
    const parent = dirname(folder);
    if (parent === folder || folder === home || !(await isOwnPath(parent))) return root;
    folder = parent;
  }
  return root;
}

/** Returns the folders from `top` down to `folder`, both included. */
export function foldersBetween(top: string, folder: string): readonly string[] {
  const steps = relative(top, folder).split(/[\\/]/).filter(Boolean);
  return [top, ...steps.map((_, index) => join(top, ...steps.slice(0, index + 1)))];
}
