import { isAbsolute, relative, sep } from "node:path";

/** A path as people like to read it: relative where it lies inside the session's directory, else as it came. */
export function displayPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(directory, path);
  const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return outside ? path : inside;
}
