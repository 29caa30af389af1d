import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFileLinks } from "./file-links.js";
import { type Line, plainText } from "./line.js";
import { clip } from "./wrap.js";

let root: string;
let directory: string;

/** Names that Windows opens as the name without the dots and spaces at its end. */
const disguised = ["setup.exe.", "x.bat ", "a.lnk. .", "B.CMD..."];
const installers = [
  "a.appinstaller",
  "a.msix",
  "a.msixbundle",
  "a.appx",
  "a.application",
  "a.msu",
  "a.deb",
  "a.rpm",
].concat([
  "a.mpkg",
  "a.flatpakref",
  "a.run",
  "a.xll",
  "a.library-ms",
  "a.search-ms",
  "a.iso",
  "a.vhdx",
  "a.rdp",
  "a.diagcab",
  "a.jnlp",
]);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "turnkit-links-")));
  directory = join(root, "project");
  mkdirSync(join(directory, "src"), { recursive: true });
  for (const name of ["src/a.ts", "src/b c.ts", "src/ü#1.md", "README.md", "run.command", "tool.js", "setup.exe"])
    writeFileSync(join(directory, name), "");
  for (const name of [...disguised, ...installers, "a.exe:b.txt"]) writeFileSync(join(directory, name), "");
  writeFileSync(join(directory, "tool"), "", { mode: 0o755 });
  writeFileSync(join(root, "secret.txt"), "");
  symlinkSync(join(root, "secret.txt"), join(directory, "notes.txt"));
  symlinkSync("run.command", join(directory, "safe.txt"));
  symlinkSync(join(directory, "README.md"), join(root, "outside.md"));
});
afterAll(() => rmSync(root, { recursive: true }));

const create = (env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = "linux") =>
  createFileLinks({ directory, env, platform });
const urlOf = (path: string) => pathToFileURL(join(directory, path)).href.replace("file://", `file://${hostname()}`);
const linksIn = (line: Line) =>
  line.flatMap((span) => (typeof span === "string" || !span[2] ? [] : [[span[1], span[2]]]));

it("a file of the directory has an address with the host", () => {
  expect(create().address("src/a.ts", 12)).toBe(urlOf("src/a.ts"));
  expect(create().address(join(directory, "src/b c.ts"))).toBe(urlOf("src/b c.ts"));
  expect(create().address("src/ü#1.md")).toMatch(/\/src\/%C3%BC%231\.md$/);
});

it.each([{ TERM: "xterm-kitty" }, { TERM_PROGRAM: "iTerm.app" }])("terminals that read lines get them", (env) => {
  expect(create(env).address("src/a.ts", 12)).toBe(`${urlOf("src/a.ts")}#12`);
});

it.each([
  ["a file outside", "../secret.txt"],
  ["a system's file", "/etc/passwd"],
  ["a link to a file outside", "notes.txt"],
  ["a link outside to a file of the directory", "../outside.md"],
  ["a file that does not exist", "src/z.ts"],
  ["a folder", "src"],
  ["the directory itself", "."],
  ["a file that runs when it is opened", "run.command"],
  ["a link to a file that runs", "safe.txt"],
  ["a program of Windows", "setup.exe"],
  ["a path with a NUL", "src/a.ts\u0000"],
])("%s is no link", (_, path) => {
  expect(create().address(path)).toBeUndefined();
});

it.each([...disguised, ...installers])("%j is no link on any system", (name) => {
  for (const platform of ["win32", "linux", "darwin"] as const) {
    expect(create({}, platform).address(name)).toBeUndefined();
    expect(create({}, platform).address(`./${name}`, 12)).toBeUndefined();
    expect(linksIn(create({}, platform).spans(`See ${name}, ${name}:12 and ${name}.`))).toEqual([]);
  }
});

it("a stream of a file is no link on Windows", () => {
  expect(create({}, "win32").address("a.exe:b.txt")).toBeUndefined();
  expect(create({}, "win32").address("src/a.ts")).toMatch(/\/src\/a\.ts$/);
});

it("scripts are no links on Windows, and programs are none on macOS", () => {
  expect(create({}, "win32").address("tool.js")).toBeUndefined();
  expect(create({}, "darwin").address("tool")).toBeUndefined();
  expect(create().address("tool.js")).toBe(urlOf("tool.js"));
});

it("paths in a text are links, and the text stays", () => {
  const text = "See src/a.ts:12:3, (README.md). Not src/z.ts, e.g. 1.5, https://x.example/src/a.ts";
  const spans = create().spans(text);
  expect(plainText(spans)).toBe(text);
  expect(linksIn(spans)).toEqual([
    ["src/a.ts:12:3", urlOf("src/a.ts")],
    ["README.md", urlOf("README.md")],
  ]);
});

it("a link stays as it is, and a cut link is none", () => {
  expect(create().spans(["underline", "src/a.ts", "https://x.example"])).toEqual([
    ["underline", "src/a.ts", "https://x.example"],
  ]);
  expect(linksIn(clip(create().spans("src/a.ts:12"), 11))).toHaveLength(1);
  expect(linksIn(clip(create().spans("src/a.ts:12"), 10))).toEqual([]);
});

it("a text with many paths looks up some hundred files", () => {
  const text = Array.from({ length: 100_000 }, (_, n) => `src/${n}.ts`).join(" ");
  const start = process.cpuUsage();
  expect(create().spans(`${text} src/a.ts`)).toHaveLength(1);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
});
