/**
 * Returns true if the texts of two absolute paths name the same folder. Slashes at the end, double slashes and `.` do
 * not count, and on Windows neither the kind of slash nor the case of the drive. Parts with `..` are compared as they
 * are, because the part before `..` may be a link.
 */
export const isSameFolder = (one: string, other: string): boolean => plain(one) === plain(other);

function plain(path: string): string {
  const [root = "", slashes] = rootOf(path);
  const parts = path.slice(root.length).split(slashes);
  return [root.toLowerCase(), ...parts.filter((part) => part !== "" && part !== ".")].join("/");
}

/** Returns the root of a path, and the separator of its parts. */
function rootOf(path: string): readonly [root: string | undefined, slashes: RegExp] {
  const [drive] = /^(?:[A-Za-z]:|\\\\)/.exec(path) ?? [];
  return drive === undefined ? ["", /\//] : [drive, /[\\/]/];
}
