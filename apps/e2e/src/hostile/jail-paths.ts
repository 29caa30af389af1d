import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fresh, inside, type JailCase, linked, refused } from "./jail-case.js";

const dots = refused([
  ["dots", ({ root }) => `${root}/../outside/secret`],
  ["dots behind a folder", ({ root }) => `${root}/sub/../../outside/secret`],
  ["dots behind a missing folder", ({ root }) => `${root}/missing/../../outside/secret`],
  ["dots behind a file", ({ root }) => `${root}/file/../../outside/secret`],
  ["many dots", ({ root }) => `${root}/${"../".repeat(60)}etc/passwd`],
  ["dots and doubled slashes", ({ root }) => `${root}//..//outside//secret`],
  ["dots among single dots", ({ root }) => `${root}/./.././outside/./secret`],
  ["dots up and into a twin", ({ root }) => `${root}/../root-twin/secret`],
  ["dots at the end", ({ root }) => `${root}/..`],
  ["dots at the end, with a slash", ({ root }) => `${root}/sub/../../`],
  ["a new file behind dots", ({ root }) => `${root}/../outside/new`],
  ["new folders behind dots", ({ root }) => `${root}/../outside/a/b/new`],
]);

const elsewhere = refused([
  ["an absolute path elsewhere", ({ secret }) => secret],
  ["a missing file elsewhere", ({ outside }) => `${outside}/missing`],
  ["new folders elsewhere", ({ outside }) => `${outside}/a/b/new`],
  ["the root's parent", ({ base }) => base],
  ["a file of the system", () => "/etc/passwd"],
  ["the root of all", () => "/"],
  ["two slashes in front", () => "//etc/passwd"],
  ["the memory of this process", () => "/proc/self/environ"],
  ["the root of this process", () => "/proc/self/root/etc/passwd"],
  ["the folder of this process", () => "/proc/self/cwd/package.json"],
  ["an open file of this process", () => "/proc/self/fd/1"],
  ["a device elsewhere", () => "/dev/zero"],
  ["the terminal", () => "/dev/tty"],
]);

const twins = refused([
  ["a name that begins like the root", ({ root }) => `${root}-twin/secret`],
  ["a name that the root begins like", ({ root }) => `${root.slice(0, -1)}/secret`],
  ["the root with a letter more", ({ root }) => `${root}x`],
  ["the root with a dot more", ({ root }) => `${root}./file`],
  ["the root with a space more", ({ root }) => `${root} /file`],
  ["the root in capitals", ({ base }) => `${base}/ROOT/file`],
  ["the root in letters that look alike", ({ base }) => `${base}/r\u043eot/file`],
]);

const noPaths = refused([
  ["a relative path", () => "file"],
  ["a relative path with a dot", () => "./file"],
  ["a relative path with dots", () => "../outside/secret"],
  ["nothing", () => ""],
  ["a space", () => " "],
  ["an absolute path behind a space", ({ root }) => ` ${root}/file`],
  ["a home", () => "~/file"],
  ["a variable", () => "$HOME/file"],
  ["a URI", ({ root }) => `file://${root}/file`],
  ["a NUL at the end", ({ root }) => `${root}/file\0`],
  ["a NUL inside", ({ root }) => `${root}/file\0.txt`],
  ["a NUL in front", ({ root }) => `\0${root}/file`],
  ["a NUL before dots", ({ root }) => `${root}/sub\0/../../outside/secret`],
  ["a drive of Windows", () => "C:\\Windows\\win.ini"],
  ["a drive of Windows with slashes", () => "C:/Windows/win.ini"],
  ["a drive without a folder", () => "C:file"],
  ["a share of Windows", () => "\\\\server\\share\\file"],
  ["a bare path of Windows", () => "\\\\?\\C:\\file"],
  ["a path that is too long", (place) => place.in("x/".repeat(2048))],
  ["a path that is far too long", (place) => place.in("x/".repeat(1_000_000))],
  ["a device of Windows", () => "\\\\.\\PhysicalDrive0"],
  ["a folder of the current drive", () => "\\Windows\\win.ini"],
]);

const names = fresh([
  ["a missing file", (place) => place.in("missing")],
  ["a file in missing folders", (place) => place.in("a/b/c/missing")],
  ["a name that begins with dots", (place) => place.in("..missing")],
  ["three dots", (place) => place.in("...")],
  ["a name with dots inside", (place) => place.in("a..b")],
  ["a name that begins with a dash", (place) => place.in("-rf")],
  ["a name with a line break", (place) => place.in("two\nlines")],
  ["a name with a NUL in words", (place) => place.in("file%00.txt")],
  ["a name that a shell would act on", (place) => place.in("$(id);*")],
  ["a name in capitals", (place) => place.in("FILE")],
  ["a name of 255 bytes", (place) => place.in("x".repeat(255))],
  ["a name in many scripts", (place) => place.in("zwölf-🚀-三")],
  ["a drive of Windows below the root", ({ root }) => `${root}/C:\\Windows`],
  ["a device of Windows below the root", (place) => place.in("nul.txt")],
  ["a dangling link inside", linked("link", () => "missing")],
  ["a dangling link to a folder inside", linked("link", () => "a/b", "link/missing")],
]);

const harmlessPaths = inside([
  ["a file", (place) => place.in("file")],
  ["single dots and doubled slashes", ({ root }) => `${root}//.//sub/./file`],
  ["dots that stay inside", ({ root }) => `${root}/sub/deep/../../file`],
  ["dots that leave and come back", ({ root }) => `${root}/../root/file`],
  ["dots behind a missing folder, inside", ({ root }) => `${root}/missing/../file`],
]);

const missing: readonly JailCase[] = [
  { name: "the root itself", path: ({ root }) => root, read: "unusable", write: "unusable" },
  { name: "a name below a file", path: (place) => place.in("file/below"), read: "missing", write: "unusable" },
  { name: "folders below a file", path: (place) => place.in("file/a/b"), read: "missing", write: "unusable" },
];

const roots: readonly JailCase[] = [
  {
    name: "anything without a root",
    path: (place) => place.in("file"),
    roots: () => [],
    read: "outside",
    write: "outside",
  },
  {
    name: "a file of a root that does not exist",
    path: ({ base }) => `${base}/nowhere/file`,
    roots: ({ base }) => [`${base}/nowhere`],
    read: "outside",
    write: "outside",
  },
  {
    name: "a file of the second root",
    path: (place) => place.in("file"),
    roots: ({ base, root }) => [`${base}/nowhere`, root],
    read: { text: "inside" },
    write: "written",
  },
  {
    name: "a file beside a root that is a folder of it",
    path: (place) => place.in("file"),
    roots: (place) => [place.in("sub")],
    read: "outside",
    write: "outside",
  },
  {
    name: "a file of a root with a slash at its end",
    path: (place) => place.in("file"),
    roots: ({ root }) => [`${root}/`],
    read: { text: "inside" },
    write: "written",
  },
  {
    name: "a file of a root that is a link",
    path: async (place) => {
      await symlink(place.root, join(place.base, "alias"));
      return place.in("file");
    },
    roots: ({ base }) => [`${base}/alias`],
    read: { text: "inside" },
    write: "written",
  },
  {
    name: "what a root is when it is a file",
    path: (place) => place.in("file/below"),
    roots: (place) => [place.in("file")],
    read: "missing",
    write: "unusable",
  },
];

/** Cases decided by the path itself. */
export const pathCases: readonly JailCase[] = [
  ...dots,
  ...elsewhere,
  ...twins,
  ...noPaths,
  ...names,
  ...harmlessPaths,
  ...missing,
  ...roots,
];
