import { expect, test } from "vitest";
import { liesInside } from "./permission-facts.js";

test.each([
  ["/work/a.ts", ["/work"]],
  ["/work", ["/work/"]],
  ["/work/x/../a.ts", ["/work"]],
  ["/lib/b", ["/work", "/lib"]],
  ["/any/thing", ["/"]],
  ["/work/back\\slash", ["/work"]],
  ["C:\\Work\\a.ts", ["c:\\work"]],
  ["c:/work/a.ts", ["C:\\Work\\"]],
  ["\\\\server\\share\\dir\\a", ["\\\\SERVER\\share\\dir"]],
])("%s lies inside %j", (path, roots) => {
  expect(liesInside(path, roots)).toBe(true);
});

test.each([
  ["/workshop/a.ts", ["/work"]],
  ["/work/../etc/passwd", ["/work"]],
  ["/work/a/../../../work2/b", ["/work"]],
  ["/Work/a.ts", ["/work"]],
  ["work/a.ts", ["/work"]],
  ["a.ts", ["/work"]],
  ["", ["/work"]],
  ["~/a.ts", ["/work"]],
  ["/work/a\0/../../etc", ["/work"]],
  ["file:///work/a.ts", ["/work"]],
  ["/work/a.ts", []],
  ["/work/a.ts", [""]],
  ["/c:/work/a", ["c:\\work"]],
  ["c:\\workshop", ["c:\\work"]],
  ["c:\\work\\..\\windows", ["c:\\work"]],
  ["c:work\\a", ["c:\\work"]],
  ["d:\\work\\a", ["c:\\work"]],
  ["c:\\work\\a:stream", ["c:\\work"]],
  ["\\\\?\\c:\\work\\a", ["c:\\work"]],
  ["\\\\.\\c:\\work\\a", ["c:\\work"]],
  ["\\\\server\\other\\a", ["\\\\server\\share"]],
  ["\\\\server\\share\\..\\..\\x", ["\\\\server\\share\\dir"]],
  ["\\work\\a", ["c:\\work"]],
])("%s does not lie inside %j", (path, roots) => {
  expect(liesInside(path, roots)).toBe(false);
});
