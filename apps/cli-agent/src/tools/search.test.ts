import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { findRipgrep, searchWithRipgrep } from "./ripgrep.js";
import { searchTool } from "./search.js";
import { searchFiles } from "./search-files.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

async function project(path = "") {
  vi.stubEnv("PATH", path);
  const session = await createToolContext();
  const outside = await createFolder();
  await writeFile(join(outside, "secret.ts"), "price = secret");
  const files = {
    ".gitignore": "dist\n",
    "src/cart.ts": "const a = 1;\nconst price = 2; // (net)\n",
    "src/tax.js": "let Price;\r\nlet x;\r\n",
    "dist/cart.js": "const price = 2;",
    "node_modules/dep/index.js": "price",
    "image.ts": "price\0",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(session.cwd, name, ".."), { recursive: true });
    await writeFile(join(session.cwd, name), text);
  }
  await symlink(join(outside, "secret.ts"), join(session.cwd, "link.ts"));
  return session;
}

describe("search without ripgrep", () => {
  it("finds lines in text files, without what is ignored, binary or behind a link", async () => {
    const { cwd, turn, textOf } = await project();
    expect(await textOf(searchTool, { pattern: "\\bprice\\b" })).toBe(
      "src/cart.ts:2: const price = 2; // (net)\nsrc/tax.js:1: let Price;",
    );
    expect(turn.calls[0]).toMatchObject({
      title: "Search for \\bprice\\b",
      kind: "search",
      status: "completed",
      content: [{ content: { text: expect.stringMatching(/^```\nsrc\/cart\.ts:2: [\s\S]*\n```$/) } }],
      locations: [
        { path: join(cwd, "src/cart.ts"), line: 2 },
        { path: join(cwd, "src/tax.js"), line: 1 },
      ],
    });
  });

  it("heeds case, literal texts, file patterns and folders when told to", async () => {
    const { textOf } = await project();
    const text = (input: object) => textOf(searchTool, input);
    expect(await text({ pattern: "price", case_sensitive: true })).toMatch(/^src\/cart\.ts:2: [^\n]*$/);
    expect(await text({ pattern: "(net)", literal: true })).toMatch(/^src\/cart\.ts:2: [^\n]*$/);
    expect(await text({ pattern: "price", glob: "*.js" })).toBe("src/tax.js:1: let Price;");
    expect(await text({ pattern: "price", path: "src", glob: "*.ts" })).toMatch(/^src\/cart\.ts:2: [^\n]*$/);
    expect(await text({ pattern: "nowhere" })).toBe("No line matches.");
    expect(await text({ pattern: "\\p{Lu}rice|l\\et\\ x\\;" })).toContain("src/tax.js:2: let x;");
  });

  it("stops at 200 lines and cuts long ones", async () => {
    const { cwd, textOf } = await project();
    await writeFile(join(cwd, "many.txt"), `${"needle ".repeat(100)}\n`.repeat(300));
    const lines = (await textOf(searchTool, { pattern: "needle" })).split("\n");
    expect(lines).toHaveLength(201);
    expect(lines[0]).toHaveLength("many.txt:1: ".length + 301);
    expect(lines[200]).toBe("There is more: narrow the pattern, or name a folder.");
  });

  it("gives up a pattern that would never end, and refuses what is none", async () => {
    const { cwd, use } = await project();
    await writeFile(join(cwd, "trap.txt"), `${"a".repeat(50)}b`);
    await expect(use(searchTool, { pattern: "^(a+)+$" })).rejects.toThrow(/takes too long/);
    await expect(use(searchTool, { pattern: "(" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(use(searchTool, { pattern: "x", path: ".." })).rejects.toMatchObject({ code: "outside" });
  });
});

it("defect S22: a cancel ends a search between two files, however long each one takes", async () => {
  const folder = await createFolder();
  for (let at = 0; at < 16; at += 1) await writeFile(join(folder, `${at}.txt`), "");
  const cpu = (from?: NodeJS.CpuUsage) => process.cpuUsage(from).user / 1000;
  const pattern = "^(a+)+$";
  let text = "aaaaaaaaaaaaaaaa!";
  let one = 0;
  while (one < 30) {
    text = `a${text}`;
    const began = process.cpuUsage();
    new RegExp(pattern).test(text);
    one = cpu(began);
  }
  const cancel = new AbortController();
  let reads = 0;
  const readLocal = async () => {
    reads += 1;
    if (reads === 16) setImmediate(() => cancel.abort());
    return text;
  };
  const query = { folder: { path: folder, real: folder, root: folder }, isOmitted: () => false, pattern };
  const began = process.cpuUsage();
  const search = searchFiles(
    { readLocal },
    { ...query, caseSensitive: true, literal: false },
    { max: 1, signal: cancel.signal },
  );
  await expect(search).rejects.toMatchObject({ name: "AbortError" });
  expect(cpu(began)).toBeLessThan(10 * one);
});

/** Writes a stand-in for ripgrep: it stores its arguments, prints these records, and ends with this command. */
async function fakeRipgrep(records: readonly object[], end = "exit 0"): Promise<string> {
  const folder = await createFolder();
  const output = records.map((record) => JSON.stringify(record)).join("\n");
  await writeFile(join(folder, "output"), `${output}\n`);
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/arguments"\n/bin/cat "${folder}/output"\necho "bad pattern" >&2\n${end}\n`;
  await writeFile(join(folder, "rg"), script);
  await chmod(join(folder, "rg"), 0o755);
  return folder;
}

const match = (path: string, line: number, text: string) => ({
  type: "match",
  data: { path: { text: path }, lines: { text: `${text}\n` }, line_number: line, submatches: [] },
});

describe.skipIf(process.platform === "win32")("search with ripgrep", () => {
  it("reads its records and hands it the question, and nothing that it could take for an option", async () => {
    const { readFile } = await import("node:fs/promises");
    const folder = await fakeRipgrep([{ type: "begin", data: {} }]);
    const { cwd, use } = await project(folder);
    await use(searchTool, { pattern: "--pre=sh", glob: "*.ts" });
    const given = (await readFile(join(folder, "arguments"), "utf8")).split("\n");
    expect(given.slice(given.indexOf("--regexp"))).toEqual(["--regexp", "--pre=sh", "--", cwd, ""]);
    expect(given).toContain("--no-config");
    expect(given).not.toContain("--follow");
  });

  it("tells what it found", async () => {
    const session = await project();
    const records = [
      match(join(session.cwd, "src/cart.ts"), 2, "const price = 2; // (net)"),
      { type: "end", data: {} },
    ];
    vi.stubEnv("PATH", await fakeRipgrep([{ type: "begin", data: {} }, ...records]));
    expect(await session.textOf(searchTool, { pattern: "price" })).toBe("src/cart.ts:2: const price = 2; // (net)");
  });

  it("finds lines of UTF-16, and of files with a byte order mark", async () => {
    const session = await project();
    await writeFile(join(session.cwd, "wide"), "\ufeffone price\r\n", "utf16le");
    await writeFile(join(session.cwd, "marked"), "\ufeffa price\n");
    const records = [
      match(join(session.cwd, "marked"), 1, "a price"),
      match(join(session.cwd, "wide"), 1, "one price"),
    ];
    vi.stubEnv("PATH", await fakeRipgrep(records));
    expect(await session.textOf(searchTool, { pattern: "price" })).toBe("marked:1: a price\nwide:1: one price");
  });

  it("defect R20: finds a line that ends with two carriage returns, or at the end of a file with one", async () => {
    const session = await project();
    await writeFile(join(session.cwd, "twice"), "a price\r\r\nlast price\r");
    const records = [
      match(join(session.cwd, "twice"), 1, "a price\r\r"),
      {
        ...match(join(session.cwd, "twice"), 2, ""),
        data: { path: { text: join(session.cwd, "twice") }, lines: { text: "last price\r" }, line_number: 2 },
      },
    ];
    vi.stubEnv("PATH", await fakeRipgrep(records));
    expect(await session.textOf(searchTool, { pattern: "price" })).toMatch(
      /^twice:1: a price\r\ntwice:2: last price\r$/,
    );
  });

  it("defect S102: gives no line of a file that a link had replaced when ripgrep opened it", async () => {
    const session = await project();
    await writeFile(join(session.cwd, ".env"), "KEY=1");
    await symlink(".env", join(session.cwd, "still.txt"));
    const records = ["src/cart.ts", "still.txt", "gone.txt"].map((name) => match(join(session.cwd, name), 1, "KEY=1"));
    vi.stubEnv("PATH", await fakeRipgrep(records));
    expect(await session.textOf(searchTool, { pattern: "KEY" })).toBe("No line matches.");
  });

  it("stops it when there is enough", async () => {
    const session = await project();
    await writeFile(join(session.cwd, "a"), "x\n".repeat(5000));
    const records = Array.from({ length: 5000 }, (_, line) => match(join(session.cwd, "a"), line + 1, "x"));
    vi.stubEnv("PATH", await fakeRipgrep(records));
    expect((await session.textOf(searchTool, { pattern: "x" })).split("\n")).toHaveLength(201);
  });

  it("ends it when it takes too long, and tells what it found by then", async () => {
    const { cwd } = await project();
    const found = { path: join(cwd, "a"), line: 1, text: "x" };
    const folder = await fakeRipgrep([match(found.path, found.line, found.text)], "exec /bin/sleep 600");
    const query = {
      folder: { path: cwd, real: cwd, root: cwd },
      pattern: "x",
      caseSensitive: false,
      literal: false,
      isOmitted: () => false,
    };
    const bounds = {
      max: 10,
      signal: new AbortController().signal,
      limitMs: 500,
      roots: [],
      read: async () => Buffer.from("x\n"),
    };
    expect(await searchWithRipgrep(join(folder, "rg"), query, bounds)).toEqual({ matches: [found], cut: true });
  });

  it("defect R21: does not keep the lines of the files that it has compared", async () => {
    const { cwd } = await project();
    const records = Array.from({ length: 40 }, (_, number) => match(join(cwd, `file-${number}`), 1, "abc"));
    const folder = await fakeRipgrep(records);
    const folders = { path: cwd, real: cwd, root: cwd };
    const query = { folder: folders, pattern: "abc", caseSensitive: false, literal: false, isOmitted: () => false };
    const large = Buffer.from("abc\n".repeat(260_000));
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    const read = async () => {
      most = Math.max(most, process.memoryUsage().heapUsed);
      return large;
    };
    const bounds = { max: 40, signal: new AbortController().signal, roots: [], read };
    expect((await searchWithRipgrep(join(folder, "rg"), query, bounds)).matches).toHaveLength(40);
    expect(most - before).toBeLessThan(100_000_000);
  });

  it("says what it complains about", async () => {
    const { use } = await project(await fakeRipgrep([], "exit 2"));
    await expect(use(searchTool, { pattern: "(" })).rejects.toThrow("ripgrep: bad pattern");
  });

  it("is not taken from the project", async () => {
    const folder = await fakeRipgrep([]);
    expect(await readdir(folder)).toContain("rg");
    expect(await findRipgrep(["/elsewhere"], { PATH: ["", "bin", folder].join(delimiter) })).toBe(join(folder, "rg"));
    expect(await findRipgrep(["/elsewhere"], { PATH: ["", ".", "bin"].join(delimiter) })).toBeUndefined();
  });
});
