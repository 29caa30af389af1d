import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { type JailCase, made, type Path, unusable } from "./jail-case.js";

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

/** Cases decided by the files that are there. */
export const fileCases: readonly JailCase[] = [
  ...noFiles,
  ...devices,
  ...texts,
  ...binaries,
  ...sizes,
  ...modes,
  ...parents,
];
