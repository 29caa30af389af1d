import { isAbsolute, relative, sep } from "node:path";

/** Returns a path relative to the session's directory if it is inside that directory. Other paths are unchanged. */
export function displayPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(directory, path);
  const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return outside ? path : inside;
}
