import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import type { Folder } from "../workspace.js";
import { findFiles } from "./find-files.js";
import { searchFiles } from "./search-files.js";

const at = (root: string, name: string): Folder => ({ root, path: join(root, name), real: join(root, name) });

const never = new AbortController().signal;

async function project(names: readonly string[]): Promise<Folder> {
  const root = await createFolder();
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), "");
  }
  return { path: root, real: root, root };
}

const names = [
  ...["a.ts", "b.tsx", "c.js", "src/a.ts", "src/deep/b.test.ts", "src/deep/c.md", "docs/a.md", "app/(auth)/page.tsx"],
  ...["[id].ts", "x{y}.ts", "été.txt", ".hidden/a.ts", "a b.ts", "1.txt", "2.txt", "src/deep/er/z.ts", "lib/src/a.ts"],
];

describe("a pattern of the model", () => {
  it.each([
    ["*.ts", ["[id].ts", "a b.ts", "a.ts", "x{y}.ts"]],
    ["./src/*.ts", ["src/a.ts"]],
    ["**/a.ts", [".hidden/a.ts", "a.ts", "lib/src/a.ts", "src/a.ts"]],
    ["src/**/*.{test.ts,md}", ["src/deep/b.test.ts", "src/deep/c.md"]],
    ["{src,docs}/*.{ts,md}", ["docs/a.md", "src/a.ts"]],
    ["{src/{deep,x},docs}/*.md", ["docs/a.md", "src/deep/c.md"]],
    ["{,lib/}src/a.ts", ["lib/src/a.ts", "src/a.ts"]],
    ["{src/**,*}/z.ts", ["src/deep/er/z.ts"]],
    ["*.{ts,tsx,}", ["[id].ts", "a b.ts", "a.ts", "b.tsx", "x{y}.ts"]],
    ["app/(auth)/*", ["app/(auth)/page.tsx"]],
    ["\\[id\\].ts", ["[id].ts"]],
    ["[[]id].ts", ["[id].ts"]],
    ["x{y}.ts", ["x{y}.ts"]],
    ["?.txt", ["1.txt", "2.txt"]],
    ["[!1].txt", ["2.txt"]],
    ["[[:digit:]].txt", ["1.txt", "2.txt"]],
    ["?t?.txt", ["été.txt"]],
    ["src/deep", []],
    ["src/**/", []],
    ["(a+)+b", []],
  ])("%j finds %j", async (pattern, found) => {
    expect((await findFiles(await project(names), pattern, never)).paths).toEqual(found);
  });

  it.each(["a\\", "x".repeat(5_000)])("that ends in the middle or is too long is refused: %.10s", async (pattern) => {
    await expect(findFiles(await project([]), pattern, never)).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("defect S22: the time of a search for files does not depend on the form of a pattern", () => {
  const long = "a".repeat(200);
  it.each([
    ...["(a+)+b", "*a*a*a*a*a*a*a*a*b", "**/**/**/**/**/b", `${"**/".repeat(330)}b`, `${"*a".repeat(500)}b`],
    ...["{a,b}".repeat(200), `${"{a,".repeat(250)}b${"}".repeat(250)}`, `${"{*,**}".repeat(160)}b`, "{".repeat(1_000)],
    ...[
      "+(+(+(a)))b",
      "@(a|a|a)*b",
      "!(!(!(a)))",
      "[".repeat(1_000),
      `x${"\\".repeat(1_000)}`,
      `{1..9999999}${"{a,}".repeat(200)}`,
    ],
    ...[
      `${"{a*,*a}".repeat(140)}b`,
      `${"[a-z]*".repeat(160)}b`,
      "?*".repeat(500),
      ",".repeat(1_000),
      "{,}".repeat(330),
    ],
  ])("%.20s", async (pattern) => {
    const folder = await project([`${long}/${long}/${long}`, `${long}/x`, "y"]);
    const began = performance.now();
    await findFiles(folder, pattern, never);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("defect S10: a search in a named folder does not block the agent with the rules of the project", () => {
  const deep = Array.from({ length: 14 }, () => "a".repeat(200)).join("/");
  const slow = `/**/${"*a".repeat(500)}[b]\n`;
  /** Starts a task. Returns the longest time in milliseconds in which nothing else could run. */
  const longestGap = async (start: (signal: AbortSignal) => Promise<unknown>, abortMs: number) => {
    const controller = new AbortController();
    let gap = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      gap = Math.max(gap, performance.now() - last);
      last = performance.now();
    }, 1);
    const timer = setTimeout(() => controller.abort(new Error("stopped")), abortMs);
    const answer = await start(controller.signal).catch((error: Error) => error.message);
    gap = Math.max(gap, performance.now() - last);
    clearTimeout(timer);
    clearInterval(watch);
    return { answer, gap };
  };
  const named = async (rules: string) => {
    const { root } = await project([`${deep}/x.ts`]);
    await writeFile(join(root, ".gitignore"), rules);
    return { root, path: join(root, deep), real: join(root, deep) };
  };

  it("and ends with its signal", async () => {
    const folder = await named(slow.repeat(60));
    const { answer, gap } = await longestGap((signal) => findFiles(folder, "*.ts", signal), 50);
    expect(answer).toBe("stopped");
    expect(gap).toBeLessThan(1_000);
  });

  it("also for a search of text", async () => {
    const folder = await named(slow.repeat(60));
    const query = { folder, isOmitted: () => false, pattern: "x", caseSensitive: true, literal: true };
    const search = (signal: AbortSignal) => searchFiles({ readLocal: async () => "x" }, query, { max: 10, signal });
    const { answer, gap } = await longestGap(search, 50);
    expect(answer).toBe("stopped");
    expect(gap).toBeLessThan(1_000);
  });

  it("and finds its files after the time limit of the rules", async () => {
    const folder = await named(slow.repeat(200));
    const { answer, gap } = await longestGap((signal) => findFiles(folder, "*.ts", signal), 30_000);
    expect(answer).toMatchObject({ paths: [`${deep}/x.ts`] });
    expect(gap).toBeLessThan(1_000);
  });

  it.each(["a/\n", "a/b\n", "node_modules\n", "*\n"])(
    "and a named folder that %j ignores is searched",
    async (rules) => {
      const { root } = await project(["a/b/node_modules/x.ts", "a/b/x.ts"]);
      await writeFile(join(root, ".gitignore"), rules);
      const { paths } = await findFiles(at(root, "a/b/node_modules"), "*.ts", never);
      expect(paths).toEqual(["a/b/node_modules/x.ts"]);
    },
  );
});

describe("defect S10: a search for files ends with its signal", () => {
  it.each([
    ["of rules of the project", `${"*a".repeat(500)}*b\n`.repeat(400), "**"],
    ["of a pattern", "", `${"*a".repeat(500)}*b`],
  ])("in the middle %s", async (_what, rules, pattern) => {
    const folder = await project(Array.from({ length: 300 }, (_, index) => `${"a".repeat(240)}${index}b`));
    await writeFile(join(folder.root, ".gitignore"), rules);
    const controller = new AbortController();
    const finding = findFiles(folder, pattern, controller.signal);
    let gap = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      gap = Math.max(gap, performance.now() - last);
      last = performance.now();
    }, 1);
    const timer = setTimeout(() => controller.abort(new Error("stopped")), 50);
    await finding.catch((error: Error) => expect(error.message).toBe("stopped"));
    clearTimeout(timer);
    clearInterval(watch);
    // Nothing else waits longer than for one match.
    expect(gap).toBeLessThan(1_000);
  });
});
