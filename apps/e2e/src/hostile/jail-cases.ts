import { execFileSync } from "node:child_process";
import { appendFile, chmod, link, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HardLinks, type Place, SECRET } from "./jail.js";

/** What comes of it: the text that is read, a write that arrives, or one of the three answers. */
export type Outcome = { readonly text: string } | "written" | "outside" | "missing" | "unusable";

/** One path, what is made for it beforehand, and what comes of reading and of writing it. */
export type JailCase = {
  readonly name: string;
  readonly path: (place: Place) => string | Promise<string>;
  readonly read: Outcome;
  readonly write: Outcome;
  readonly range?: { readonly line?: number; readonly limit?: number };
  /** Unless given, the root of the place. */
  readonly roots?: (place: Place) => readonly string[];
  readonly hardLinks?: HardLinks;
};

type Path = JailCase["path"];
type Row = readonly [name: string, path: Path];

/** Neither read nor written, whatever is there. */
const refused = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "outside", write: "outside" }));
const unusable = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "unusable", write: "unusable" }));
/** There, and readable. */
const inside = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: { text: "inside" }, write: "written" }));
/** Not there; it may be made. */
const fresh = (rows: readonly Row[]): readonly JailCase[] =>
  rows.map(([name, path]) => ({ name, path, read: "missing", write: "written" }));

/** A link inside the root, then the path that goes through it. */
const linked =
  (from: string, to: (place: Place) => string, path = from): Path =>
  async (place) => {
    await symlink(to(place), place.in(from));
    return `${place.root}/${path}`;
  };

/** A row of links, each to the next, the last one to `end`. */
const chained =
  (length: number, end: (place: Place) => string): Path =>
  async (place) => {
    for (let n = 1; n < length; n++) await symlink(`link-${n + 1}`, place.in(`link-${n}`));
    await symlink(end(place), place.in(`link-${length}`));
    return place.in("link-1");
  };

const made =
  (name: string, content: string | Uint8Array): Path =>
  async (place) => {
    await writeFile(place.in(name), content);
    return place.in(name);
  };

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

const links = refused([
  ["a link to a file", linked("link", ({ secret }) => secret)],
  ["a relative link to a file", linked("sub/link", () => "../../outside/secret")],
  ["a link to a file that exists inside by the same name", linked("link", ({ outside }) => `${outside}/file`)],
  ["a link to a folder", linked("link", ({ outside }) => outside, "link/secret")],
  ["a relative link to a folder", linked("link", () => "../outside", "link/secret")],
  ["a link to a folder, and dots in it", linked("link", ({ outside }) => `${outside}/sub`, "link/./file")],
  ["a link to a folder below a link", linked("link", ({ base }) => base, "link/outside/secret")],
  ["a link to the root of all", linked("link", () => "/", "link/etc/passwd")],
  ["a link to the root of this process", linked("link", () => "/proc/self/root", "link/etc/passwd")],
  ["a link to a twin", linked("link", ({ root }) => `${root}-twin`, "link/secret")],
  ["a link to a device", linked("link", () => "/dev/zero")],
  ["a link that is named by dots and more", linked("..link", ({ outside }) => outside, "..link/secret")],
  ["a new file behind a link to a folder", linked("link", ({ outside }) => outside, "link/new")],
  ["new folders behind a link to a folder", linked("link", ({ outside }) => outside, "link/a/b/new")],
  ["a dangling link", linked("link", ({ outside }) => `${outside}/new`)],
  ["a relative dangling link", linked("sub/link", () => "../../outside/new")],
  ["a dangling link to a folder", linked("link", ({ outside }) => `${outside}/new`, "link/file")],
  ["a dangling link with dots in it", linked("link", ({ root }) => `${root}/missing/../../outside/new`)],
  ["a chain of two links", chained(2, ({ secret }) => secret)],
  ["a chain of many links", chained(30, ({ secret }) => secret)],
  ["a chain of dangling links", chained(3, ({ outside }) => `${outside}/new`)],
  ["a chain of links that leaves by a relative one", chained(2, () => "../outside/secret")],
  [
    "a chain through folders",
    async (place) => {
      await symlink("sub/two", place.in("one"));
      await symlink(place.outside, place.in("sub/two"));
      return place.in("one/secret");
    },
  ],
  [
    "a link inside, to a link outside, to a file outside",
    async (place) => {
      await symlink(place.secret, join(place.base, "hop"));
      await symlink("../hop", place.in("link"));
      return place.in("link");
    },
  ],
]);

const harmlessLinks = inside([
  ["a link inside", linked("link", () => "file")],
  ["an absolute link inside", linked("link", ({ root }) => `${root}/file`)],
  ["a link to a folder inside", linked("link", () => "sub", "link/file")],
  ["a link to the root", linked("sub/up", () => "..", "sub/up/file")],
  ["a link out and back in", linked("link", () => "../root/file")],
  ["a chain of links inside", chained(30, () => "file")],
  [
    "a link from outside to the inside",
    async (place) => {
      await symlink(place.root, join(place.base, "alias"));
      return join(place.base, "alias/file");
    },
  ],
]);

const loops = unusable([
  ["a link to itself", linked("link", () => "link")],
  [
    "a loop of links",
    async (place) => {
      await symlink("two", place.in("one"));
      await symlink("one", place.in("two"));
      return place.in("one");
    },
  ],
  ["a chain of more links than the system follows", chained(60, () => "missing")],
]);

const hardLinked: Path = async (place) => {
  await link(place.secret, place.in("hard"));
  return place.in("hard");
};
const hardLinks: readonly JailCase[] = [
  {
    name: "a hard link, where they are refused",
    path: hardLinked,
    read: "outside",
    write: "written",
    hardLinks: "refuse",
  },
  {
    name: "a hard link behind a link, where they are refused",
    path: async (place) => {
      await hardLinked(place);
      await symlink("hard", place.in("link"));
      return place.in("link");
    },
    read: "outside",
    write: "written",
    hardLinks: "refuse",
  },
  { name: "a hard link, where they are followed", path: hardLinked, read: { text: SECRET }, write: "written" },
  {
    name: "a file of one name, where hard links are refused",
    path: (place) => place.in("file"),
    read: { text: "inside" },
    write: "written",
    hardLinks: "refuse",
  },
];

const noFiles = unusable([
  ["a folder", (place) => place.in("sub")],
  ["a folder with a slash", ({ root }) => `${root}/sub/`],
  [
    "a FIFO",
    (place) => {
      execFileSync("mkfifo", [place.in("fifo")]);
      return place.in("fifo");
    },
  ],
  [
    "a link to a FIFO",
    async (place) => {
      execFileSync("mkfifo", [place.in("fifo")]);
      await symlink("fifo", place.in("link"));
      return place.in("link");
    },
  ],
  ["a name that is too long", (place) => place.in("x".repeat(256))],
]);

const devices: readonly JailCase[] = ["null", "zero", "full", "random"].map((name) => ({
  name: `the device ${name}, inside the root`,
  path: () => `/dev/${name}`,
  roots: () => ["/dev"],
  read: "unusable",
  write: "unusable",
}));

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
  { name: "the root itself", path: ({ root }) => root, read: "unusable", write: "outside" },
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

const texts: readonly JailCase[] = [
  ["a byte order mark", "\ufeffa"],
  ["line ends of Windows", "a\r\nb\r\n"],
  ["line ends of all kinds", "a\rb\nc\r\n\n"],
  ["no line end", "a\nb"],
  ["nothing", ""],
  ["characters of four bytes across the borders of reads", `${"x".repeat(65_535)}🚀${"é".repeat(40_000)}`],
].map(([name, text]) => ({
  name: `a text of ${name}`,
  path: made("text", text as string),
  read: { text: text as string },
  write: "written",
}));

const binaries: readonly JailCase[] = (
  [
    ["Latin-1", Buffer.from("Zwölf", "latin1")],
    ["UTF-16 with a mark", Buffer.from("\ufefftext", "utf16le")],
    ["UTF-16 without a mark", Buffer.from("text", "utf16le")],
    ["a character that is cut", Buffer.from("a€").subarray(0, 3)],
    ["an overlong character", Buffer.from([0xc0, 0xaf])],
    ["half of a pair", Buffer.from([0xed, 0xa0, 0x80])],
    ["NULs", Buffer.from("a\0b")],
  ] as const
).map(([name, bytes]) => ({
  name: `a file of ${name}`,
  path: made("binary", bytes),
  read: "unusable",
  write: "written",
}));

/** 64 GiB that take no room on the disk: who reads all of it does not come to an end. */
const huge: Path = async (place) => {
  await writeFile(place.in("huge"), "one\ntwo\nthree\n");
  await truncate(place.in("huge"), 64 * 1024 ** 3);
  return place.in("huge");
};
const sizes: readonly JailCase[] = [
  { name: "all of 64 GiB", path: huge, read: "unusable", write: "written" },
  {
    name: "two lines of 64 GiB",
    path: huge,
    range: { line: 2, limit: 2 },
    read: { text: "two\nthree\n" },
    write: "written",
  },
  { name: "no lines of 64 GiB", path: huge, range: { limit: 0 }, read: { text: "" }, write: "written" },
  {
    name: "the last line of 20 MiB",
    path: async (place) => {
      await writeFile(place.in("log"), `${"x".repeat(1023)}\n`.repeat(20 * 1024));
      await appendFile(place.in("log"), "end");
      return place.in("log");
    },
    range: { line: 20 * 1024 + 1 },
    read: { text: "end" },
    write: "written",
  },
];

const modes: readonly JailCase[] = [0o600, 0o640, 0o755, 0o4755].map((mode) => ({
  name: `a file of mode ${mode.toString(8)}`,
  path: async (place) => {
    await chmod(place.in("file"), mode);
    return place.in("file");
  },
  read: { text: "inside" },
  write: "written",
}));

const parents: readonly JailCase[] = [
  {
    name: "a file in folders of which some exist",
    path: async (place) => {
      await mkdir(place.in("sub/some"));
      return place.in("sub/some/more/new");
    },
    read: "missing",
    write: "written",
  },
];

/** Every row is read and written, on either side. */
export const jailCases: readonly JailCase[] = [
  ...dots,
  ...elsewhere,
  ...twins,
  ...noPaths,
  ...links,
  ...harmlessLinks,
  ...loops,
  ...hardLinks,
  ...noFiles,
  ...devices,
  ...names,
  ...harmlessPaths,
  ...missing,
  ...roots,
  ...texts,
  ...binaries,
  ...sizes,
  ...modes,
  ...parents,
];
