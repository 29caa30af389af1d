/**
 * Returns true if two absolute paths name the same folder, by their texts.
 *
 * - Slashes at the end, double slashes and parts `.` are ignored.
 * - On Windows, the kind of slash and the case of the drive are ignored too.
 * - Parts `..` are compared as they are, because the part before `..` may be a link.
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
