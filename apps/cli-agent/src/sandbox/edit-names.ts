import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../errors.js";
import { type Bubblewrap, PROC } from "./isolation.js";

/** Folder of a session. `id` is its expected device and file number. */
export type Root = { readonly path: string; readonly id: string };

/**
 * Change of a name in a folder of the session:
 *
 * - `set-aside`: the file or folder gets a harmless name in the same folder
 * - `open`: the owner gets all rights of a folder, so that the folder can be searched
 * - `close`: a folder gets the rights back that it had before `open`
 * - `link`: a symbolic link to `target` is created, if nothing has this name
 */
export type NameEdit = {
  readonly action: "set-aside" | "open" | "close" | "link";
  readonly root: Root;
  /** Names from the root to the path, as bytes in Base64. */
  readonly names: readonly string[];
  readonly mode?: number;
  readonly target?: string;
};

/** Result of a change. `isGone` means that no such path exists, or that a link leads to it. */
export type NameEditResult = {
  readonly name?: string;
  /** Rights that a folder had before `open`. */
  readonly mode?: number;
  readonly isGone?: boolean;
  readonly problem?: string;
};

/** End of a harmless name, before its number. */
const SET_ASIDE = ".turnkit-set-aside-";

/** Returns `true` for a name that `set-aside` has given. */
export const isSetAside = (name: string): boolean => /\.turnkit-set-aside-\d+$/.test(name);

/**
 * Program that does the changes. It opens each folder of a path on its own, without following links. Another process
 * can therefore not lead a change to another place. Paths may be longer than the limit of the system.
 */
const PROGRAM = `
const fs = require("node:fs");
const FOLDER = 0o10000000 | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
const at = (fd, name) => Buffer.concat([Buffer.from("/proc/self/fd/" + fd + "/"), name]);
const modes = [];
const setMode = (fd, mode) => fs.chmodSync("/proc/self/fd/" + fd, mode);
const modeOf = (fd) => fs.fstatSync(fd).mode & 0o7777;
const allow = (fd) => { const mode = modeOf(fd); setMode(fd, mode | 0o700); return mode; };
const isDenied = (error) => error.code === "EACCES" || error.code === "EPERM";
const allowed = (fd, act) => {
  try { return act(); } catch (error) {
    if (!isDenied(error)) throw error;
    modes.unshift([fs.openSync("/proc/self/fd/" + fd, FOLDER & ~fs.constants.O_NOFOLLOW), allow(fd)]);
    return act();
  }
};
const within = (root, names, act) => {
  const open = [];
  try {
    open.push(fs.openSync(root.path, FOLDER));
    const { dev, ino } = fs.fstatSync(open[0], { bigint: true });
    if (dev + ":" + ino !== root.id) throw new Error(root.path + " is another folder now");
    for (const name of names) { const fd = open.at(-1); open.push(allowed(fd, () => fs.openSync(at(fd, name), FOLDER))); }
    return act(open.at(-1));
  } finally { for (const fd of open) fs.closeSync(fd); }
};
const exists = (path) => { try { fs.lstatSync(path); return true; } catch (error) { if (error.code === "ENOENT") return false; throw error; } };
const setAside = (fd, name) => {
  for (let count = 1; ; count += 1) {
    const end = Buffer.from("${SET_ASIDE}" + count);
    const free = Buffer.concat([name.subarray(0, 255 - end.length), end]);
    if (allowed(fd, () => exists(at(fd, free)))) continue;
    allowed(fd, () => fs.renameSync(at(fd, name), at(fd, free)));
    return { name: free.toString() };
  }
};
const change = ({ action, root, names: encoded, mode, target }) => {
  const names = encoded.map((name) => Buffer.from(name, "base64"));
  try {
    if (action === "set-aside") return within(root, names.slice(0, -1), (fd) => setAside(fd, names.at(-1)));
    if (action === "link") return within(root, names.slice(0, -1), (fd) => { allowed(fd, () => fs.symlinkSync(target, at(fd, names.at(-1)))); return {}; });
    if (action === "open") return within(root, names, (fd) => ({ mode: allow(fd) }));
    return within(root, names, (fd) => { setMode(fd, mode); return {}; });
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code)) return { isGone: true };
    return { problem: error.code ?? error.message };
  } finally {
    for (const [fd, mode] of modes.splice(0)) { setMode(fd, mode); fs.closeSync(fd); }
  }
};
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(change)));
`;

/** Folders with the libraries of Node.js. */
const LIBRARIES = ["/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/gnu", "/etc/ld.so.cache"];

/** Time limit for all changes after a command, in milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Changes names in a separate sandbox. This sandbox contains only the session's folders and Node.js, so a link that
 * leads out of them leads nowhere.
 *
 * @returns the result of each change; all have the same problem if the sandbox does not start
 */
export function edit({ bwrap, flags }: Bubblewrap, changes: readonly NameEdit[]): Promise<readonly NameEditResult[]> {
  const node = realpathSync(process.execPath);
  const libraries = join(dirname(node), "../lib");
  const roots = [...new Set(changes.map(({ root }) => root.path))].sort((one, other) => one.length - other.length);
  const args = [
    ...flags,
    "--unshare-net",
    ...LIBRARIES.flatMap((path) => ["--ro-bind-try", path, path]),
    ...PROC,
    ...["--dev", "/dev"],
    ...roots.flatMap((path) => ["--bind", path, path]),
    ...["--ro-bind", node, node, ...(existsSync(libraries) ? ["--ro-bind", libraries, libraries] : [])],
    ...["--remount-ro", "/", "--chdir", "/", "--", node, "-e", PROGRAM],
  ];
  return new Promise((resolve) => {
    const options = { timeout: LIMIT_MS, killSignal: "SIGKILL", env: {}, maxBuffer: 256 * 1024 * 1024 } as const;
    const child = execFile(bwrap, args, options, (error, stdout, stderr) => {
      try {
        if (error !== null) throw error;
        resolve(JSON.parse(stdout) as NameEditResult[]);
      } catch {
        const problem = stderr.trim().slice(0, 200) || messageOf(error);
        resolve(changes.map(() => ({ problem })));
      }
    });
    child.stdin?.on("error", () => undefined).end(JSON.stringify(changes));
  });
}
