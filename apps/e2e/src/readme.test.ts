import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSource } from "./process/source.js";

const snippets = fileURLToPath(new URL("../.snippets/", import.meta.url));
const fences = new Map<string, string>();
let folder = "";

beforeAll(async () => {
  const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
  for (const [, name, code] of readme.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs))
    fences.set(name as string, code as string);
  await mkdir(snippets, { recursive: true });
  folder = await mkdtemp(join(snippets, "readme-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, code] of fences) await writeFile(join(folder, name), code);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function lines(...names: string[]): number {
  return names
    .map((name) => (fences.get(name) as string).trim().split("\n").length)
    .reduce((sum, count) => sum + count);
}

describe("the root README", () => {
  it("shows an agent in at most 30 lines and a client in at most 20", () => {
    expect([...fences.keys()]).toEqual(["agent.ts", "main.ts", "client.ts"]);
    expect(lines("agent.ts", "main.ts")).toBeLessThanOrEqual(30);
    expect(lines("client.ts")).toBeLessThanOrEqual(20);
  });

  it("shows a client and an agent that work together as printed", async () => {
    const command = (name: string) => runSource(pathToFileURL(join(folder, name)));
    const [node, ...client] = command("client.ts");
    const { stdout, stderr } = await promisify(execFile)(node, [...client, ...command("main.ts")], { cwd: folder });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "I count the files here.",
      `[pending] List ${folder}`,
      "[in_progress] ",
      "[completed] ",
      "There are 4 files.",
      "end_turn",
      "",
    ]);
  });
});
