import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "./config-error.js";

/** Keys by the id of their provider. */
export type Keys = Readonly<Record<string, string>>;

const file = (folder: string): string => join(folder, "keys.json");

/**
 * Reads the keys that `turnkit-agent login` stored; none is an empty object.
 *
 * @throws ConfigError for a file that cannot be read, or holds something else
 */
export async function readKeys(folder: string): Promise<Keys> {
  const path = file(folder);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new ConfigError(`${path} cannot be read: ${error.message}.`);
  });
  const keys = parse(text);
  const fits = typeof keys === "object" && keys !== null && Object.values(keys).every((key) => typeof key === "string");
  // What it holds is not part of the message: it may be a key.
  if (!fits) throw new ConfigError(`${path} is damaged: remove it, and run \`turnkit-agent login\` again.`);
  return keys as Keys;
}

/**
 * Stores the key of one provider, or with `undefined` forgets it. Only the user may read the file, and there is never half
 * of one.
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
  // Only a new file gets the mode, and nobody can have put a link there.
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
  return path;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
