import { chmod, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createHistoryFile, historyPath } from "./prompt-history.js";

async function createPath() {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-history-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return historyPath({ XDG_STATE_HOME: folder });
}

it("keeps what was asked, in order, in a file that only the user can read", async () => {
  const path = await createPath();
  const file = createHistoryFile(path);
  expect(await file.read()).toEqual([]);
  await Promise.all([file.add("one"), file.add("two\nlines")]);
  expect(await createHistoryFile(path).read()).toEqual(["one", "two\nlines"]);
  expect((await stat(path)).mode & 0o077).toBe(0);
});

it("is bounded, survives lines that are no JSON, and never fails", async () => {
  const path = await createPath();
  const file = createHistoryFile(path);
  await file.add("x".repeat(100_000));
  await file.add("first");
  await writeFile(path, `no JSON\n{}\n${Array.from({ length: 1200 }, (_, n) => `"${n}"\n`).join("")}`);
  const entries = await file.read();
  expect([entries.length, entries[0], entries.at(-1)]).toEqual([500, "700", "1199"]);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(501);
  await createHistoryFile(join(path, "not", "a", "folder")).add("nowhere");
});

it("defect S29: is neither read nor written through a link, and an existing file becomes private", async () => {
  const path = await createPath();
  await createHistoryFile(path).add("one");
  await chmod(path, 0o644);
  await createHistoryFile(path).add("two");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const other = `${path}.other`;
  await rename(path, other);
  await symlink(other, path);
  const file = createHistoryFile(path);
  await file.add("three");
  expect([await file.read(), await readFile(other, "utf8")]).toEqual([[], '"one"\n"two"\n']);
});
