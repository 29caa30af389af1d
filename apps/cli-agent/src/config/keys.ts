import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../errors.js";

export type Keys = Readonly<Record<string, string>>;

const file = (folder: string): string => join(folder, "keys.json");

/**
 * Reads the keys that `turnkit-agent login` stored; returns an empty object if there are none.
 *
 * @throws ConfigError for a file that is unreadable or damaged
 */
export async function readKeys(folder: string): Promise<Keys> {
  const path = file(folder);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new ConfigError(`${path} cannot be read: ${error.message}.`);
  });
  const keys = parse(text);
  const fits = typeof keys === "object" && keys !== null && Object.values(keys).every((key) => typeof key === "string");
  // The message never holds the content: it may be a key.
  if (!fits) throw new ConfigError(`${path} is damaged: remove it, and run \`turnkit-agent login\` again.`);
  return keys as Keys;
}

/**
 * Stores the key of one provider; `undefined` removes it. Only the user may read the file. It is replaced atomically.
 *
 * @returns the path of the file
 */
export async function storeKey(folder: string, provider: string, key: string | undefined): Promise<string> {
  const keys: Record<string, string | undefined> = { ...(await readKeys(folder)), [provider]: key };
  const path = file(folder);
  if (Object.values(keys).every((kept) => kept === undefined)) {
    await rm(path, { force: true });
    return path;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  // The mode applies to a new file only, and a link put there in advance must not be followed.
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
  return path;
}

/** Removes every stored key. Keys in the environment are not affected. */
export async function forgetKeys(folder: string): Promise<void> {
  for (const provider of Object.keys(await readKeys(folder))) await storeKey(folder, provider, undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
