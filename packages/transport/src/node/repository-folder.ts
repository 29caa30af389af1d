import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "./path-form.js";

/**
 * Returns the folder around a path that Git treats as a repository because of the folder's content, such as a bare
 * repository. Returns `undefined` if no folder inside the roots is a repository. The settings and hooks of a repository
 * start programs, whatever the name of its folder is.
 *
 * @param path path without links
 * @param roots folders without links
 */
export async function findRepositoryFolder(path: string, roots: readonly string[]): Promise<string | undefined> {
  for (let folder = dirname(path); isInside(folder, roots); folder = dirname(folder)) {
    if (await isRepository(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
  return undefined;
}

async function isRepository(folder: string): Promise<boolean> {
  for (const name of ["HEAD", "objects", "refs"]) {
    const exists = await stat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!exists) return false;
  }
  return true;
}
