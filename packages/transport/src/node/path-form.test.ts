import { posix, win32 } from "node:path";
import { describe, expect, test } from "vitest";
import { faultOf, isInside } from "./path-form.js";

const root = "C:\\work\\app";

describe("paths of Windows that no disk is asked about", () => {
  test.each([
    ["relative", "file"],
    ["relative", ".\\file"],
    ["relative", "..\\file"],
    ["relative", "C:file"],
    ["relative", "D:"],
    ["relative", ""],
    ["NUL", `${root}\\file\0.txt`],
    ["too long", `${root}\\${"x\\".repeat(20_000)}`],
    ["no plain file", "\\\\?\\C:\\work\\app\\file"],
    ["no plain file", "//?/C:/work/app/file"],
    ["no plain file", "\\??\\C:\\work\\app\\file"],
    ["no plain file", "\\\\?\\UNC\\server\\share\\file"],
    ["no plain file", "\\\\.\\PhysicalDrive0"],
    ["no plain file", "\\\\.\\pipe\\docker_engine"],
    ["no plain file", "\\\\.\\C:\\work\\app\\file"],
    ["no plain file", `${root}\\file:stream`],
    ["no plain file", `${root}\\file::$DATA`],
    ["no plain file", `${root}\\C:\\Windows\\win.ini`],
    ["no plain file", `${root}\\nul`],
    ["no plain file", `${root}\\NUL.txt`],
    ["no plain file", `${root}\\con .log`],
    ["no plain file", `${root}/sub/Com1`],
    ["no plain file", `${root}\\lpt9.tar.gz`],
    ["no plain file", `${root}\\COM\u00b9`],
    ["no plain file", `${root}\\conin$`],
    ["no plain file", `${root}\\aux\\file`],
    ["no plain file", `${root}\\secret.`],
    ["no plain file", `${root}\\secret...`],
    ["no plain file", `${root}\\secret `],
    ["no plain file", `${root}\\.. \\outside`],
    ["no plain file", `${root}\\...\\outside`],
    ["outside", "\\\\server\\share\\file"],
    ["outside", "//server/share/file"],
    ["outside", "\\/server/share/file"],
    ["outside", "\\\\server@SSL\\DavWWWRoot\\file"],
    ["outside", "\\\\localhost\\c$\\work\\app\\file"],
    ["outside", "\\\\server\\share\\..\\..\\work"],
  ] as const)("%s: %j", (fault, path) => {
    expect(faultOf(path, [root], win32)).toBe(fault);
  });

  test.each([
    `${root}\\file`,
    `${root}/sub/file`,
    `${root}\\sub\\..\\file`,
    `${root}\\console`,
    `${root}\\com10`,
    `${root}\\.nul`,
    `${root}\\a.nul`,
    "c:\\elsewhere\\file",
    "\\work\\app\\file",
  ])("the disk is asked about %j", (path) => {
    expect(faultOf(path, [root], win32)).toBe(undefined);
  });

  test("a network path is asked about where a root is on that share, whatever its case", () => {
    const roots = ["\\\\Server\\Share\\app"];
    expect(faultOf("\\\\server\\share\\app\\file", roots, win32)).toBe(undefined);
    expect(faultOf("//SERVER/SHARE/app/file", roots, win32)).toBe(undefined);
    for (const other of ["\\\\server\\share2\\file", "\\\\server2\\share\\file", "\\\\server\\share.\\file"]) {
      expect(faultOf(other, roots, win32)).not.toBe(undefined);
    }
  });
});

test("on other systems these are names like any other", () => {
  for (const name of ["nul", "C:", "a:b", "end.", "end ", "\\\\?\\"]) {
    expect(faultOf(`/work/${name}`, ["/work"], posix)).toBe(undefined);
  }
  expect(faultOf("C:\\work", ["/work"], posix)).toBe("relative");
  expect(faultOf(`/${"x".repeat(4096)}`, ["/"], posix)).toBe("too long");
});

describe("inside", () => {
  test.each([
    ["C:\\work\\app", true],
    ["c:\\WORK\\App\\file", true],
    ["C:\\work\\app\\..name", true],
    ["C:\\work\\app2\\file", false],
    ["C:\\work\\ap", false],
    ["C:\\work", false],
    ["D:\\work\\app\\file", false],
    ["\\\\server\\share\\work\\app\\file", false],
  ])("Windows, %j: %j", (path, inside) => {
    expect(isInside(path, [root], win32)).toBe(inside);
  });

  test.each([
    ["\\\\server\\share\\app\\file", true],
    ["\\\\SERVER\\share\\APP\\file", true],
    ["\\\\server\\share\\app2", false],
    ["\\\\server\\other\\app\\file", false],
    ["C:\\app\\file", false],
  ])("a share of Windows, %j: %j", (path, inside) => {
    expect(isInside(path, ["\\\\server\\share\\app"], win32)).toBe(inside);
  });

  test.each([
    ["/work/app", true],
    ["/work/app/..name", true],
    ["/work/app2", false],
    ["/WORK/app/file", false],
    ["/work", false],
    ["/", false],
  ])("elsewhere, %j: %j", (path, inside) => {
    expect(isInside(path, ["/work/app"], posix)).toBe(inside);
  });
});
