import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileViolations } from "../src/rule/files.js";
import { lockfileViolations } from "../src/rule/lockfile.js";
import { readWorkspaces, root } from "../src/workspace.js";

test("files are short and named after what they hold", () => {
  expect(fileViolations(readWorkspaces().flatMap(({ files }) => files))).toEqual([]);
});

test("the lockfile names no host", () => {
  expect(lockfileViolations(readFileSync(join(root, "pnpm-lock.yaml"), "utf8"))).toEqual([]);
});

const file = (path: string, lines = 1) => ({ path, text: "x\n".repeat(lines) });

test("long files, long medians, vague and odd names are found", () => {
  expect(
    fileViolations([file("packages/a/src/turn.ts", 301), file("packages/a/src/b.ts"), file("packages/a/src/c.ts")]),
  ).toEqual(["packages/a/src/turn.ts has 301 lines"]);
  expect(fileViolations([file("packages/a/src/turn.ts", 111)])).toEqual([expect.stringContaining("median")]);
  expect(fileViolations([file("packages/a/src/utils.ts")])).toEqual([expect.stringContaining("not named after")]);
  expect(fileViolations([file("apps/a/src/core/turn.ts")])).toEqual([expect.stringContaining("not named after")]);
  expect(fileViolations([file("apps/a/test/helpers.test.ts")])).toEqual([expect.stringContaining("not named after")]);
  expect(fileViolations([file("packages/a/src/toolCall.ts")])).toEqual([expect.stringContaining("kebab-case")]);
  expect(fileViolations([file("packages/a/src/tool-call.test.ts", 500), file("packages/a/src/v1/index.ts")])).toEqual(
    [],
  );
});

test("tarballs and hosts in a lockfile are found", () => {
  const line = "    resolution: {integrity: sha512-a==, tarball: https://example.org/a.tgz}";
  expect(lockfileViolations(`lockfileVersion: '9.0'\n${line}\n  http-errors@2.0.0:\n`)).toEqual([
    expect.stringContaining("pnpm-lock.yaml:2"),
  ]);
});
