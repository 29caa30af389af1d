import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const PRIVATE = 0o600;

/**
 * Replaces a file in one step, so that its readers see the old or the new text. Creates missing folders. If the path is a
 * link, its target is replaced. Only the user can read a new file.
 *
 * @param keepsMode `true` if a replaced file keeps its permissions; otherwise only the user can read it afterwards
 * @throws the error of the file system; the old file is then unchanged
 */
export async function replaceFile(path: string, text: string, { keepsMode = false } = {}): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${crypto.randomUUID()}`;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const found = keepsMode ? await stat(target).catch(() => undefined) : undefined;
    await writeFile(draft, text, { mode: found === undefined ? PRIVATE : found.mode & 0o777, flag: "wx" });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
