import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../test/tool-context.js";
import { readProjectRules } from "./project-rules.js";

const readRules = async (roots: readonly string[]) => (await readProjectRules(roots, async () => true)).text;

async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createFolder();
  await mkdir(join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Returns the rules in the order in which the model reads them. */
const filesIn = (rules: string) => [...rules.matchAll(/<rules file="([^"]+)">/g)].map(([, path]) => path);

describe("what a project says to agents", () => {
  it("is every AGENTS.md from the root of the repository down to the session's folder", async () => {
    const root = await repository({
      "AGENTS.md": "Outer rules.",
      "packages/one/AGENTS.md": "Inner rules.",
      "packages/two/AGENTS.md": "Rules of others.",
      "packages/one/src/AGENTS.md": "Rules further down.",
    });
    const rules = await readRules([join(root, "packages/one")]);
    expect(filesIn(rules)).toEqual([join(root, "AGENTS.md"), join(root, "packages/one/AGENTS.md")]);
    expect(rules).toMatch(/Outer rules\.[\s\S]*Inner rules\./);
  });

  it("V1-SESS-13: is looked for under each further folder too, and the earlier one wins", async () => {
    const [first, second] = [await repository({ "AGENTS.md": "One." }), await repository({ "AGENTS.md": "Two." })];
    const rules = await readRules([first, second]);
    expect(filesIn(rules)).toEqual([join(first, "AGENTS.md"), join(second, "AGENTS.md")]);
    expect(rules).toContain("then the one that comes first");
  });

  it("is read once where folders lie in each other", async () => {
    const root = await repository({ "AGENTS.md": "One.", "inner/readme.md": "" });
    expect(filesIn(await readRules([root, join(root, "inner")]))).toEqual([join(root, "AGENTS.md")]);
  });

  it("is not looked for above a folder that is in no repository", async () => {
    const outer = await createFolder();
    await writeFile(join(outer, "AGENTS.md"), "Not yours.");
    await mkdir(join(outer, "project"));
    expect(await readRules([join(outer, "project")])).toBe("");
  });

  it("does not lead out of the repository by a link", async () => {
    const [root, outside] = [await repository({}), await createFolder()];
    await writeFile(join(outside, "secret.md"), "secret");
    await symlink(join(outside, "secret.md"), join(root, "AGENTS.md"));
    expect(await readRules([root])).toBe("");
  });

  it("is bounded, file by file and as a whole", async () => {
    const deep = ["a", "b", "c", "d"];
    const names = deep.map((_, index) => join(...deep.slice(0, index + 1), "AGENTS.md"));
    const root = await repository(Object.fromEntries(names.map((name) => [name, "x".repeat(50_000)])));
    const rules = await readRules([join(root, ...deep)]);
    expect(filesIn(rules)).toHaveLength(3);
    expect(rules.length).toBeLessThan(98_000);
    expect(rules).toContain("[cut off]");
  });

  it("is nothing where there is nothing", async () => {
    expect(await readRules([await repository({}), "/no/such/folder"])).toBe("");
  });
});
