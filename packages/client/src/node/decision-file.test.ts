import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDecisionFile } from "./decision-file.js";
import { isInsideRoots } from "./files.js";

let folder = "";
let path = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnkit-"));
});
beforeEach(async () => {
  path = join(await mkdtemp(join(folder, "case-")), "own", "decisions.json");
});
afterAll(() => rm(folder, { recursive: true }));

const allow = (expiresAt = Date.now() + 60_000) => ({ verdict: "allow", expiresAt }) as const;

test.each([
  ["~/decisions.json", "only a shell replaces `~`"],
  ["~", "only a shell"],
  ["", "pass the path of the file"],
  ["undefined/decisions.json", "its part undefined comes from a variable without a text"],
])("defect N95: the path %o, which names no file, is refused", (wrong, message) => {
  expect(() => createDecisionFile(wrong)).toThrow(TypeError);
  expect(() => createDecisionFile(wrong)).toThrow(message);
});

test("decisions outlive the program, in a file of their owner alone", async () => {
  const store = createDecisionFile(path);
  expect(await store.get("a")).toBeUndefined();
  const decision = allow();
  await Promise.all([store.set("a", decision), store.set("b", decision), store.set("__proto__", decision)]);
  await store.delete("b");
  const again = createDecisionFile(path);
  expect([await again.get("a"), await again.get("b"), await again.get("__proto__")]).toEqual([
    decision,
    undefined,
    decision,
  ]);
  expect(await again.get("constructor")).toBeUndefined();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(path))).toEqual(["decisions.json"]);
});

test("what has run out goes with the next change, and the oldest above 1 000", async () => {
  await mkdir(dirname(path));
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, allow()]));
  await writeFile(path, JSON.stringify({ decisions: { old: allow(1), ...many } }));
  await createDecisionFile(path).set("new", allow());
  const { decisions } = JSON.parse(await readFile(path, "utf8"));
  expect([Object.keys(decisions).length, "old" in decisions, "k0" in decisions, "new" in decisions]).toEqual([
    1_000,
    false,
    false,
    true,
  ]);
});

test.each(["", "{}", '{"decisions":[null]}', '{"decisions":{"a":"allow"}}', "no json"])(
  "a file with %j is an error, and stays as it is",
  async (text) => {
    await mkdir(dirname(path));
    await writeFile(path, text);
    const store = createDecisionFile(path);
    await expect(store.get("a")).rejects.toMatchObject({ code: "state", message: expect.stringContaining(path) });
    await expect(store.set("a", allow())).rejects.toMatchObject({ code: "state" });
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

test("lists what is valid, the oldest first, and deletes several at once", async () => {
  const store = createDecisionFile(path);
  expect(await store.list()).toEqual([]);
  const decision = allow();
  for (const key of ["a", "b", "c"]) await store.set(key, decision);
  await store.set("gone", allow(1));
  await store.set("a", decision);
  expect((await store.list()).map(([key]) => key)).toEqual(["b", "c", "a"]);
  await store.deleteAll(["b", "a", "unknown"]);
  expect(await store.list()).toEqual([["c", decision]]);
});

describe.skipIf(process.platform === "win32")("defect S19: a file of decisions", () => {
  test.each([0o666, 0o620, 0o602])("with the mode %o is not believed, nor changed", async (mode) => {
    const store = createDecisionFile(path);
    await store.set("a", allow());
    await chmod(path, mode);
    const refusal = { code: "state", message: expect.stringContaining("can be changed by other users") };
    await expect(store.get("a")).rejects.toMatchObject(refusal);
    await expect(store.list()).rejects.toMatchObject(refusal);
    await expect(store.set("b", allow())).rejects.toMatchObject(refusal);
    expect((await stat(path)).mode & 0o777).toBe(mode);
  });

  test("that is a link is not believed", async () => {
    await createDecisionFile(path).set("a", allow());
    const link = join(dirname(path), "link.json");
    await symlink(path, link);
    await expect(createDecisionFile(link).get("a")).rejects.toMatchObject({
      message: expect.stringContaining("is a link"),
    });
    await expect(createDecisionFile(link).set("a", allow())).rejects.toMatchObject({ code: "state" });
  });
});

test("links do not lead inside what they leave", async () => {
  const root = await mkdtemp(join(folder, "root-"));
  await symlink("/etc", join(root, "etc"));
  expect(await isInsideRoots(join(root, "new", "file"), [root])).toBe(true);
  expect(await isInsideRoots(join(root, "etc", "passwd"), [root])).toBe(false);
  expect(await isInsideRoots("relative", [root])).toBe(false);
});
