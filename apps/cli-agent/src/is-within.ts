import { isAbsolute, relative, sep } from "node:path";

/** Returns `true` if `path` is `root` or below it. Only the names are compared. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
