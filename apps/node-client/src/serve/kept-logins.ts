import { readFile } from "node:fs/promises";
import { replaceFile } from "../setup/replace-file.js";
import type { Setup } from "../setup/setup.js";
import { statePath } from "../setup/state-folder.js";
import { nameOfAgent } from "./open-storage.js";
import type { Login, LoginBook } from "./visitors.js";

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

/** Writes the logins for a later server. Only the user can read the file. */
export const keepLogins = (path: string, logins: readonly Login[]): Promise<void> =>
  replaceFile(path, `${JSON.stringify(logins)}\n`);

function isLogin(value: unknown): value is Login {
  const { digest, until } = (value ?? {}) as Partial<Record<keyof Login, unknown>>;
  return typeof digest === "string" && typeof until === "number";
}
