import { readFile } from "node:fs/promises";
import { replaceFile } from "../setup/replace-file.js";
import type { Setup } from "../setup/setup.js";
import { statePath } from "../setup/state-folder.js";
import { nameOfAgent } from "./open-storage.js";
import { type Login, type LoginBook, MOST_LOGINS } from "./visitors.js";

/** Number of times that a file is written, if other servers replace it each time. */
const MOST_TRIES = 10;

/**
 * Opens the logins of browsers at servers of the same command of an agent. A file in the folder for state holds them.
 * If the file cannot be written, `note` gets the reason, and the server continues. `saved` resolves when the file holds
 * all logins.
 */
export async function openLoginBook(
  setup: Setup,
  env: NodeJS.ProcessEnv,
  note: (text: string) => void,
): Promise<LoginBook & { readonly saved: () => Promise<void> }> {
  const path = statePath(env, "served", `${nameOfAgent(setup)}.logins.json`);
  let saving = Promise.resolve();
  return {
    logins: await readLogins(path, Date.now()),
    keep(logins) {
      saving = saving.then(() => keepLogins(path, logins)).catch(({ message }: Error) => note(message));
    },
    saved: () => saving,
  };
}

/**
 * Reads the logins of browsers that an earlier server stored, without expired ones. Returns an empty list if the file
 * is missing or cannot be read. Each browser can then log in again.
 */
export async function readLogins(path: string, now: number): Promise<readonly Login[]> {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return Array.isArray(found) ? found.filter((one) => isLogin(one) && one.until > now) : [];
  } catch {
    return [];
  }
}

/**
 * Adds logins to those of the file, for later servers. Another server of the same command may write the file at the same
 * moment, so it is read again, and written again without the newest login. The oldest of more than 100 are left out. Only the
 * user can read the file.
 */
// SHARE-12
export async function keepLogins(path: string, logins: readonly Login[], now = Date.now()): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const found = await readLogins(path, now);
    const known = new Set(found.map(({ digest }) => digest));
    const missing = logins.filter(({ digest, until }) => until > now && !known.has(digest));
    const all = [...found, ...missing].sort((one, other) => one.until - other.until).slice(-MOST_LOGINS);
    if (tries > 0 && all.every(({ digest }) => known.has(digest))) return;
    await replaceFile(path, `${JSON.stringify(all)}\n`);
  }
}

function isLogin(value: unknown): value is Login {
  const { digest, until } = (value ?? {}) as Partial<Record<keyof Login, unknown>>;
  return typeof digest === "string" && typeof until === "number";
}
