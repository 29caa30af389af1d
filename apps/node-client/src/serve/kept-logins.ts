import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Setup } from "../setup/setup.js";
import { statePath } from "../setup/user-folders.js";
import { nameOfAgent } from "./open-storage.js";
import { LOGIN_SECONDS, type Login, type LoginBook, MOST_LOGINS } from "./visitors.js";

/** Name of the file of one login: its end in milliseconds since 1970, and the SHA-256 digest of its cookie. */
const LOGIN_FILE = /^(?<until>[1-9]\d{0,15})\.(?<digest>[\w-]{43})$/;
const FOR_OTHERS = 0o022;
/**
 * Longest remaining time of a stored login, in milliseconds. It includes one day, because the clock may have been set
 * back.
 */
const LONGEST_MS = (LOGIN_SECONDS + 24 * 60 * 60) * 1000;

/**
 * Opens the stored logins of browsers. Servers of the same agent command share them, in a folder of the state folder.
 * If a login cannot be stored, `note` gets the reason, and the server continues. `saved` resolves when all logins are
 * stored.
 */
export async function openLoginBook(
  setup: Setup,
  env: NodeJS.ProcessEnv,
  note: (text: string) => void,
): Promise<LoginBook & { readonly saved: () => Promise<void> }> {
  const folder = statePath(env, "served", `${nameOfAgent(setup)}.logins`);
  let saving = Promise.resolve();
  return {
    logins: await readLogins(folder, Date.now()),
    keep(login) {
      saving = saving.then(() => keepLogin(folder, login)).catch(({ message }: Error) => note(message));
    },
    saved: () => saving,
  };
}

/**
 * Reads the newest 100 logins of browsers that earlier servers stored, without expired ones, oldest first. Returns an
 * empty list if the folder is missing, cannot be read, or can be changed by other users. In this case, each browser has
 * to log in again.
 */
export async function readLogins(folder: string, now: number): Promise<readonly Login[]> {
  return valid(await filesOf(folder).catch(() => []), now);
}

/**
 * Stores a login for later servers. Each login is an empty file of its own, so servers that store at the same moment do
 * not overwrite each other. Removes the files of expired logins. If there are more than 100 logins, removes the oldest.
 * Only the user can open the folder.
 *
 * @throws Error for a folder that other users can change, and the error of the file system
 */
// SHARE-12
export async function keepLogin(folder: string, login: Login, now = Date.now()): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkFolder(folder);
  await writeFile(join(folder, fileName(login)), "", { mode: 0o600 });
  const names = await filesOf(folder);
  const kept = new Set(valid(names, now).map(fileName));
  const stale = names.filter((name) => LOGIN_FILE.test(name) && !kept.has(name));
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
}

/** @throws Error for a folder in which another user could rename files, and for a link to a folder */
async function checkFolder(folder: string): Promise<void> {
  const me = process.getuid?.();
  const found = await lstat(folder);
  // Windows has no such owners and modes.
  if (me === undefined || (found.isDirectory() && found.uid === me && (found.mode & FOR_OTHERS) === 0)) return;
  throw new Error(`Logins are not kept: ${folder} is not used, because other users can change it. Remove it.`);
}

/** Returns the names of the files in a folder. @throws the errors of {@link checkFolder} */
async function filesOf(folder: string): Promise<readonly string[]> {
  await checkFolder(folder);
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const fileName = ({ digest, until }: Login): string => `${until}.${digest}`;

/** Returns the newest logins of these files that have not expired, oldest first. */
function valid(names: readonly string[], now: number): readonly Login[] {
  const logins = names.flatMap((name) => {
    const { until, digest } = LOGIN_FILE.exec(name)?.groups ?? {};
    return until !== undefined && digest !== undefined ? [{ digest, until: Number(until) }] : [];
  });
  return logins
    .filter(({ until }) => until > now && until <= now + LONGEST_MS)
    .sort((one, other) => one.until - other.until)
    .slice(-MOST_LOGINS);
}
