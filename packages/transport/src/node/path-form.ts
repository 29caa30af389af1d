import nodePath, { type PlatformPath } from "node:path";

/** The longest paths that systems take, in characters. A longer one could still be made, folder by folder. */
const MAX_POSIX = 4096;
const MAX_WINDOWS = 32_767;

/**
 * What is wrong with a path before anybody asks the disk; `undefined` if nothing is. Looking at a path can have effects
 * already: on Windows a network path sends the person's credentials to its server, and a device name opens a device.
 *
 * @param rules those of this system unless said otherwise
 */
export function faultOf(
  path: string,
  roots: readonly string[],
  rules: PlatformPath = nodePath,
): "NUL" | "too long" | "relative" | "no plain file" | "outside" | undefined {
  if (path.length > (rules.sep === "/" ? MAX_POSIX : MAX_WINDOWS)) return "too long";
  if (path.includes("\0")) return "NUL";
  if (!rules.isAbsolute(path)) return "relative";
  if (rules.sep === "/") return undefined;
  if (isWindowsDevice(path)) return "no plain file";
  const server = serverOf(path, rules);
  return server !== undefined && !roots.some((root) => serverOf(root, rules) === server) ? "outside" : undefined;
}

/**
 * Whether `path` is one of `roots` or below one, by its text. Both must have been resolved; where names that differ in
 * case only are one name (Windows), they are here.
 */
export function isInside(path: string, roots: readonly string[], rules: PlatformPath = nodePath): boolean {
  return roots.some((root) => {
    const way = rules.relative(root, path);
    return way !== ".." && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
  });
}

/** Names that are devices in every folder, whatever follows a dot: `C:\work\nul.txt` is no file. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

function isWindowsDevice(path: string): boolean {
  // `\\?\` and `\\.\` switch off what else holds for paths. A colon past the drive names another stream of a file.
  if (/^[\\/]{2}[.?]([\\/]|$)/.test(path) || /^[\\/]\?\?[\\/]/.test(path) || path.slice(2).includes(":")) return true;
  return path.split(/[\\/]/).some((name) => {
    if (name === "." || name === "..") return false;
    // Windows takes no notice of dots and spaces at the end: what is checked would not be what is opened.
    return /[. ]$/.test(name) || device.test((name.split(".")[0] ?? "").trimEnd());
  });
}

/** Server and share of a network path. */
function serverOf(path: string, rules: PlatformPath): string | undefined {
  const { root } = rules.parse(path);
  return /^[\\/]{2}/.test(root) ? rules.normalize(root).toLowerCase() : undefined;
}
