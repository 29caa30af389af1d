import { rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "@turnkit/node-client/replace-file";
import { ConfigError } from "../errors.js";
import { readOwnFile } from "./own-file.js";

export type Keys = Readonly<Record<string, string>>;

const file = (folder: string): string => join(folder, "keys.json");

/**
 * Reads the keys that `turnkit-agent login` stored. Returns an empty object if no key is stored.
 *
 * @throws ConfigError for a file that is unreadable or damaged
 */
export async function readKeys(folder: string): Promise<Keys> {
  const path = file(folder);
  const keys = parse((await readOwnFile(path)) ?? "{}");
  const fits = typeof keys === "object" && keys !== null && Object.values(keys).every((key) => typeof key === "string");
  // The message never contains the text of the file, because the text may be a key.
  if (!fits) throw new ConfigError(`${path} is damaged: remove it, and run \`turnkit-agent login\` again.`);
  return keys as Keys;
}

/**
 * Stores the key of one provider; `undefined` removes it. Only the user may read the file of keys. The file is replaced
 * atomically.
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
  await replaceFile(path, `${JSON.stringify(keys, null, 2)}\n`);
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
