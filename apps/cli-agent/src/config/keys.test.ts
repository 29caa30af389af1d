import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readKeys, storeKey } from "./keys.js";

let folder: string;

beforeEach(async () => {
  const base = await mkdtemp(join(tmpdir(), "keys-"));
  onTestFinished(() => rm(base, { recursive: true }));
  folder = join(base, "turnkit");
});

describe("stored keys", () => {
  it("are for the user alone, and come back", async () => {
    await storeKey(folder, "openai", "one");
    const path = await storeKey(folder, "google", "two");
    expect(await readKeys(folder)).toEqual({ openai: "one", google: "two" });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("become private again if somebody opened the file to others", async () => {
    const path = await storeKey(folder, "openai", "one");
    await writeFile(path, await readFile(path), { mode: 0o644 });
    await storeKey(folder, "openai", "two");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("are none where nobody stored any, and gone when the last one is forgotten", async () => {
    expect(await readKeys(folder)).toEqual({});
    await storeKey(folder, "openai", "one");
    await storeKey(folder, "openai", undefined);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(["{", '"sk-1"', '{"openai":1}'])(
    "in a damaged file (%s) are an error that repeats nothing of it",
    async (text) => {
      const path = await storeKey(folder, "openai", "one");
      await writeFile(path, text);
      const error = await readKeys(folder).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ name: "ConfigError", message: expect.stringContaining("is damaged: remove it") });
      expect((error as Error).message).not.toContain("sk-1");
    },
  );
});
