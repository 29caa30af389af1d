import { chmod, mkdtemp, open, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRooted } from "./rooted-read.js";
import { writeRooted } from "./rooted-write.js";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-")));
});
afterEach(() => rm(root, { recursive: true }));

/** Makes a file with a text and a hole of 6 GB behind it, which takes no room on the disk. */
async function sparse(start: string): Promise<string> {
  const path = join(root, "sparse");
  await writeFile(path, start);
  const handle = await open(path, "r+");
  await handle.truncate(6 * 1024 ** 3);
  await handle.close();
  return path;
}

const maxBytes = 10 * 1024 * 1024;

describe("defect S17: a read of a part of a huge file", () => {
  it.each([
    ["", 2, 1],
    ["", 1, 1],
    ["", 1, undefined],
    ["a\n", 3, 1],
    ["a\n", 2, undefined],
    ["a", 1_000_000, 1],
  ])("ends at a hole behind %j: line %j, limit %j", async (start, line, limit) => {
    const path = await sparse(start);
    const began = performance.now();
    await expect(readRooted(path, [root], { line, limit, maxBytes })).rejects.toMatchObject({
      data: { details: expect.stringContaining("binary") },
    });
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it("reads nothing behind what was asked for", async () => {
    expect(await readRooted(await sparse("a\nb\n"), [root], { line: 2, limit: 1, maxBytes })).toBe("b\n");
  });

  it("ends with its signal in the middle of a line that is skipped", async () => {
    const path = join(root, "long");
    await writeFile(path, "a".repeat(64 * 1024 * 1024));
    const controller = new AbortController();
    const reading = readRooted(path, [root], { line: 2, maxBytes, signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(reading).rejects.toMatchObject({ code: -32800 });
  });
});

it("defect S20: a file that is replaced keeps its mode", async () => {
  const path = join(root, "file");
  await writeFile(path, "old");
  for (const mode of [0o600, 0o640, 0o755, 0o4755, 0o200]) {
    await chmod(path, mode);
    await writeRooted(path, [root], `new ${mode}`);
    expect((await stat(path)).mode & 0o7777).toBe(mode);
  }
});

it("defect N68: a path in a folder of the session that does not exist is told as such, and not as outside", async () => {
  const gone = join(root, "gone");
  const missing = { code: -32602, message: expect.stringContaining(`folder does not exist: ${gone}`) };
  await expect(readRooted(join(gone, "a"), [gone, `${root}-other`], { maxBytes })).rejects.toMatchObject(missing);
  await expect(writeRooted(join(gone, "a"), [gone], "text")).rejects.toMatchObject(missing);
  const outside = { message: expect.stringContaining("outside of the session's folders") };
  await expect(readRooted(join(root, "a"), [gone], { maxBytes })).rejects.toMatchObject(outside);
});
