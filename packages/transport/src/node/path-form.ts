import nodePath from "node:path";

/** Rules of paths of one system. `PlatformPath` is missing in newer types of Node. */
type PathRules = Pick<typeof nodePath, "sep" | "isAbsolute" | "relative" | "parse" | "normalize">;

/** Maximum length of a path that systems accept, in characters. */
const MAX_POSIX = 4096;
const MAX_WINDOWS = 32_767;

/**
 * Returns the fault of a path, or `undefined` if there is none. Only the text is examined, because access can have
 * effects. On Windows, access to a network path sends the user's credentials to the server, and a device name opens a
 * device.
 *
 * @param rules path rules; default: those of this system
 */
export function faultOf(
  path: string,
  roots: readonly string[],
  rules: PathRules = nodePath,
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
 * Returns true if `path` is one of `roots`, or below one of them. Only the texts are compared, so resolve links first.
 * On Windows, upper and lower case are equal.
 *
 * @param rules path rules; default: those of this system
 */
export function isInside(path: string, roots: readonly string[], rules: PathRules = nodePath): boolean {
  return roots.some((root) => {
    const way = rules.relative(root, path);
    return way !== ".." && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
  });
}

/** Names of devices. They exist in every folder and with any extension, so `C:\work\nul.txt` is not a file. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

function isWindowsDevice(path: string): boolean {
  // `\\?\` and `\\.\` switch off the usual rules for paths. A colon after the drive begins the name of another stream
  // of a file.
  if (/^[\\/]{2}[.?]([\\/]|$)/.test(path) || /^[\\/]\?\?[\\/]/.test(path) || path.slice(2).includes(":")) return true;
  return path.split(/[\\/]/).some((name) => {
    if (name === "." || name === "..") return false;
    // Windows ignores dots and spaces at the end of a name, so it would open another file than the checked one.
    return /[. ]$/.test(name) || device.test((name.split(".")[0] ?? "").trimEnd());
  });
}

/** Returns the server and the share of a network path. */
function serverOf(path: string, rules: PathRules): string | undefined {
  const { root } = rules.parse(path);
  return /^[\\/]{2}/.test(root) ? rules.normalize(root).toLowerCase() : undefined;
}
