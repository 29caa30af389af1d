import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import type { ConversationItem } from "../model.js";
import { tools as builtIn } from "../tools/tools.js";
import { withNestedRules } from "./nested-rules.js";
import { readProjectRules } from "./project-rules.js";

const readRules = async (roots: readonly string[], userFolder = "/nowhere") =>
  (await readProjectRules(roots, { isTrusted: async () => true, userFolder })).text;

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

  it("defect S95: is not read from a file of secrets by a link", async () => {
    const root = await repository({ ".env": "KEY=1" });
    await symlink(".env", join(root, "AGENTS.md"));
    expect(await readRules([root])).toBe("");
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

describe("P16 rules: CLAUDE.md, and rules for all projects", () => {
  it("are read beside AGENTS.md, and a file with the same text or a link to it only once", async () => {
    const root = await repository({
      "AGENTS.md": "Use tabs.",
      "CLAUDE.md": "Use spaces.",
      "one/AGENTS.md": "Same.",
      "one/.claude/CLAUDE.md": "Same.\n",
      "one/two/AGENTS.md": "Linked.",
    });
    await symlink("AGENTS.md", join(root, "one/two/CLAUDE.md"));
    const names = ["AGENTS.md", "CLAUDE.md", "one/AGENTS.md", "one/two/AGENTS.md"];
    expect(filesIn(await readRules([join(root, "one/two")]))).toEqual(names.map((name) => join(root, name)));
  });

  it("of the user come first, without a question, also by a link to another folder", async () => {
    const [root, user, dotfiles] = [
      await repository({ "AGENTS.md": "Project." }),
      await createFolder(),
      await createFolder(),
    ];
    await writeFile(join(dotfiles, "rules.md"), "Mine.");
    await symlink(join(dotfiles, "rules.md"), join(user, "CLAUDE.md"));
    const asked: string[] = [];
    const isTrusted = async (folder: string) => asked.push(folder) < 0;
    expect((await readProjectRules([root], { isTrusted, userFolder: user })).text).toContain("Mine.");
    expect(asked).toEqual([root]);
    expect(filesIn(await readRules([root], user))).toEqual([join(user, "CLAUDE.md"), join(root, "AGENTS.md")]);
    await chmod(dotfiles, 0o777);
    const { text, refused } = await readProjectRules([root], { isTrusted: async () => true, userFolder: user });
    expect([filesIn(text), refused]).toEqual([[join(root, "AGENTS.md")], [join(user, "CLAUDE.md")]]);
  });
});

describe("P16 rules: those of inner folders", () => {
  const setUp = async (isTrusted = true) => {
    const { cwd, context, turn, state } = await createToolContext();
    state.mode = "accept-edits";
    const files = {
      "AGENTS.md": "Root.",
      "in/CLAUDE.md": "Inner.",
      "in/deep/AGENTS.md": "Deep.",
      "in/deep/a.txt": "a",
      "out/b.txt": "b",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(cwd, name, ".."), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    const conversation: ConversationItem[] = [];
    const asked: string[] = [];
    const trust = async (root: string) => asked.push(root) > 0 && isTrusted;
    /** Makes one call of a turn, and adds its result to the conversation as the loop does. */
    const begin = () => {
      const tools = withNestedRules(builtIn, { cwd, roots: [cwd], conversation, isTrusted: trust });
      return async (toolName: string, input: unknown) => {
        const output = await tools
          .find(({ name }) => name === toolName)
          ?.open(input, context)
          .run();
        if (output !== undefined) conversation.push({ role: "tool", content: [{ toolCallId: "1", toolName, output }] });
        return JSON.stringify(output);
      };
    };
    return { cwd, conversation, asked, begin, turn };
  };

  it("come with the first result for a file below them, from the outside in", async () => {
    const { begin } = await setUp();
    const use = begin();
    expect(await use("read_file", { path: "out/b.txt" })).not.toContain("Rules");
    expect(await use("read_file", { path: "in/deep/a.txt" })).toMatch(/Inner\.[\s\S]*Deep\./);
    expect(await use("read_file", { path: "in/deep/a.txt" })).not.toContain("Inner.");
    const edit = { path: "in/deep/a.txt", edits: [{ oldText: "a", newText: "b" }] };
    expect(await begin()("edit_file", edit)).not.toContain("Deep.");
  });

  it("come again after they left the conversation, and with edits too", async () => {
    const { begin, conversation } = await setUp();
    await begin()("read_file", { path: "in/deep/a.txt" });
    conversation.length = 0;
    expect(await begin()("write_file", { path: "in/new.txt", text: "x" })).toContain("Inner.");
  });

  it("are none without trust, which is asked for once", async () => {
    const { begin, asked, cwd } = await setUp(false);
    const use = begin();
    expect(await use("read_file", { path: "in/deep/a.txt" })).not.toContain("Inner.");
    expect(asked).toContain(cwd);
  });
});
