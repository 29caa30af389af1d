import { stat } from "node:fs/promises";

/** Returns the paths without a folder on this machine. A folder that cannot be read counts as missing too. */
export async function missingFolders(paths: readonly string[]): Promise<readonly string[]> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const found = await Promise.all(paths.map(isFolder));
  return paths.filter((_, index) => !found[index]);
}
