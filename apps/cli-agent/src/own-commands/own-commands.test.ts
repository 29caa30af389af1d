import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { commandsFor, expandCommand } from "../commands.js";
import { findCommands } from "./find-commands.js";
import { readMarkdown } from "./frontmatter.js";
import { expandOwnCommand, toOwnCommand } from "./own-command.js";
import { skillTools } from "./skill-tool.js";

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const skill = (description: string, more = "") =>
  `---\nname: any\ndescription: ${description}\n${more}---\nDo it well.\n`;

/** Creates a project in a repository, and reads its commands. */
async function find(
  files: Readonly<Record<string, string>>,
  { isTrusted = true, user = {} as Record<string, string> } = {},
) {
  const [root, home] = [
    await write(await createFolder(), { ".git/HEAD": "x", ...files }),
    await write(await createFolder(), user),
  ];
  const asked: string[] = [];
  const { commands, refused } = await findCommands([root], {
    isTrusted: async (folder) => asked.push(folder) > 0 && isTrusted,
    userFolders: [{ commands: [join(home, "commands")], skills: [join(home, "skills")] }],
  });
  return { root, home, asked, commands, refused, names: commands.map(({ name }) => name) };
}

describe("P16 commands: the header of a Markdown file", () => {
  it.each([
    ["---\ndescription: Says hi\n---\nHi.", { description: "Says hi" }, "Hi."],
    [
      '---\r\ndescription: "Says: \\"hi\\""\r\nuser-invocable: false\r\n---\r\nHi.',
      { description: 'Says: "hi"', "user-invocable": false },
      "Hi.",
    ],
    [
      "---\ndescription: >-\n  Says\n\n  hi\ntags:\n  - a\n- b\nargument-hint: [a] [b]\nname: x # why\n---\n\nHi.",
      { description: "Says hi", "argument-hint": "[a] [b]", name: "x" },
      "Hi.",
    ],
    [
      "---\ndescription: |\n  Says\n  hi\nlong: one\n  two\n---\nHi.",
      { description: "Says\nhi", long: "one two" },
      "Hi.",
    ],
    [
      "---\ndescription: Use when: it's raining\nmodel: 'it''s'\n---\nHi.",
      { description: "Use when: it's raining", model: "it's" },
      "Hi.",
    ],
    ["---\n---\nHi.", {}, "Hi."],
    ["Hi.\n---\na: b\n---", {}, "Hi.\n---\na: b\n---"],
    ["--- \nno end: of it\nHi.", {}, "--- \nno end: of it\nHi."],
    [
      "---\n__proto__: x\na: &x y\nb: *x\n---\nHi.",
      Object.fromEntries([
        ["__proto__", "x"],
        ["a", "&x y"],
        ["b", "*x"],
      ]),
      "Hi.",
    ],
  ])("is read: %j", (text, header, body) => {
    expect(readMarkdown(text)).toEqual({ header, body });
  });

  it("takes time in proportion to its length, whatever it says", () => {
    const fill = (piece: string) => `---\n${piece.repeat(Math.floor(16_000 / piece.length))}\n---\n`;
    const hostile = ["[", "a: ", "- ", "x: |\n", 'x: "', "x: '\n", " #", 'x: \\"', "\n", " \n", "---\n", "\t"].map(
      fill,
    );
    const began = process.cpuUsage().user / 1000;
    for (const text of [...hostile, `${"a\n".repeat(100_000)}---`]) readMarkdown(text);
    expect(process.cpuUsage().user / 1000 - began).toBeLessThan(1_000);
  });
});

describe("P16 commands: files of a project and of the user", () => {
  it("are read in the forms of Claude Code and opencode", async () => {
    const { commands, names, root } = await find({
      ".claude/commands/fix.md": "---\ndescription: Fixes an issue\nargument-hint: '[number]'\n---\nFix #$1.",
      ".claude/commands/team/check.md": "# Check it\nAll of it.",
      ".opencode/commands/ship.md": "Ship it.",
      ".opencode/command/old.md": "Old.",
      ".opencode/command/notes.txt": "no",
      ".claude/skills/pdf/SKILL.md": skill("Reads PDF files"),
      ".opencode/skill/data/SKILL.md": skill("Cleans data", "disable-model-invocation: true\n"),
      ".agents/skills/style/SKILL.md": skill("Knows the style", "user-invocable: false\n"),
    });
    expect(names).toEqual(["fix", "team/check", "ship", "old", "pdf", "data", "style"]);
    expect(commands[0]).toMatchObject({
      description: "Fixes an issue",
      hint: "[number]",
      isForModel: false,
      isForUser: true,
    });
    expect(commands[1]).toMatchObject({ description: "Check it" });
    expect(commands[4]).toMatchObject({ folder: join(root, ".claude/skills/pdf"), isForModel: true });
    expect(commands[5]).toMatchObject({ isForModel: false, isForUser: true });
    expect(commands[6]).toMatchObject({ isForModel: true, isForUser: false });
  });

  it("are used without trust only if they are the user's, whose come first", async () => {
    const files = { ".claude/commands/a.md": "Project.", ".claude/skills/b/SKILL.md": skill("Project") };
    const user = { "commands/a.md": "Mine.", "skills/c/SKILL.md": skill("Mine") };
    expect(await find(files, { isTrusted: false, user })).toMatchObject({
      names: ["a", "c"],
      asked: [expect.any(String)],
    });
    const trusted = await find(files, { user });
    expect(trusted.names).toEqual(["a", "c", "b"]);
    expect(trusted.commands[0]?.body).toBe("Mine.");
    expect((await find({ "a.md": "" }, { user })).asked).toEqual([]);
  });

  it("do not lead out of the project, are not written by others, and have plain names", async () => {
    const outside = await write(await createFolder(), { "secret.md": "secret", "skills/x/SKILL.md": skill("x") });
    const root = await write(await createFolder(), {
      ".git/HEAD": "x",
      ".claude/commands/a b.md": "no",
      ".claude/commands/open.md": "no",
    });
    await symlink(join(outside, "secret.md"), join(root, ".claude/commands/link.md"));
    await symlink(join(outside, "skills"), join(root, ".claude/skills"));
    await chmod(join(root, ".claude/commands/open.md"), 0o666);
    const found = await findCommands([root], { isTrusted: async () => true, userFolders: [] });
    expect(found).toEqual({ commands: [], refused: [join(root, ".claude/commands/open.md")] });
  });
});

describe("P16 commands: a prompt", () => {
  const command = (body: string, folder?: string) =>
    toOwnCommand("own", { header: {}, body }, folder === undefined ? {} : { folder });

  it.each([
    ["Fix $ARGUMENTS now.", "it $1", "Fix it $1 now."],
    ["Fix $2, then $1.", `"a b" 'c'`, "Fix c, then a b."],
    ["Pay $10 and $3.", "x", "Pay $10 and ."],
    ["Fix it.", "fast", "Fix it.\n\nInput: fast"],
    ["Fix it.", "", "Fix it."],
  ])("has the user's text in its places: %j, %j", (body, input, expected) => {
    expect(expandOwnCommand(command(body), input)).toBe(expected);
  });

  it("is not multiplied beyond a mebi of characters by a file with many places, and says so", () => {
    const input = "x".repeat(1000);
    const text = expandOwnCommand(command("$ARGUMENTS ".repeat(5000)), input);
    expect(text.match(/x+/g)).toHaveLength(Math.floor(1_048_576 / 1000));
    expect(text).toContain("Some places of this command are empty");
    expect(expandOwnCommand(command("$ARGUMENTS ".repeat(1000)), input)).not.toContain("Some places");
  });

  it("runs nothing by itself, and says so", () => {
    expect(expandOwnCommand(command("Status: !`git status`"), "")).toMatch(
      /^Status: !`git status`\n\n.*nothing was run/,
    );
  });

  it("names the folder of a skill", () => {
    expect(expandOwnCommand(command("Do it.", "/p/skill"), "")).toContain("/p/skill");
  });

  it("cannot take the name of a built-in command, and is for models only", () => {
    const own = [
      toOwnCommand("review", { header: {}, body: "Mine." }),
      toOwnCommand("team/x", { header: {}, body: "X." }),
    ];
    const names = (model: string) => commandsFor(model, own).map((one) => ("name" in one ? one.name : ""));
    expect(names("a/b").filter((name) => name === "review" || name === "team/x")).toEqual(["review", "team/x"]);
    expect(names("reviewer")).not.toContain("team/x");
    const expand = (text: string) => JSON.stringify(expandCommand([{ type: "text", text }], own));
    expect(expand("/review")).not.toContain("Mine.");
    expect(expand("/team/x")).toContain("X.");
  });
});

it("defect S107: a folder that nobody trusts is not searched through very many folders", async () => {
  const names = Array.from({ length: 16 * 16 }, (_, at) => `a${at % 16}/b${at >> 4}`);
  const folders = names.map((name) => [`.claude/commands/${name}/x.txt`, ""]);
  const far = { ".claude/commands/z/z/far.md": "Far.", ".claude/commands/z/near.md": "Near." };
  expect((await find({ ...Object.fromEntries(folders), ...far })).names).toEqual(["z/near"]);
  expect((await find(far)).names).toEqual(["z/near", "z/z/far"]);
});

describe("P16 skills: the tool of the model", () => {
  it("lists skills for models, and reads them and their files, and no others", async () => {
    const outside = await write(await createFolder(), { "secret.md": "secret" });
    const { commands, root } = await find({
      ".claude/skills/pdf/SKILL.md": skill("Reads PDF files"),
      ".claude/skills/pdf/more/forms.md": "About forms.",
      ".claude/skills/own/SKILL.md": skill("Hidden", "disable-model-invocation: true\n"),
      "other.md": "other",
    });
    await symlink(join(outside, "secret.md"), join(root, ".claude/skills/pdf/link.md"));
    const [tool, ...others] = skillTools(commands);
    if (tool === undefined) throw new Error("There is no tool.");
    expect(others).toEqual([]);
    expect(tool.description).toContain("- pdf: Reads PDF files");
    expect(tool.description).not.toContain("Hidden");
    const { textOf, turn } = await createToolContext();
    expect(await textOf(tool, { name: "pdf" })).toContain("Do it well.");
    expect(await textOf(tool, { name: "pdf", file: "more/forms.md" })).toBe("About forms.");
    for (const file of ["../../../other.md", "link.md", "/etc/passwd", "none.md"]) {
      await expect(textOf(tool, { name: "pdf", file })).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(textOf(tool, { name: "own" })).rejects.toMatchObject({ code: "not_found" });
    expect(turn.calls[0]).toMatchObject({ title: "Read the skill pdf", kind: "read", status: "completed" });
    expect(skillTools([])).toEqual([]);
  });

  it("defect S104: reads no file of a folder that a link has led elsewhere since the user trusted it", async () => {
    const outside = await write(await createFolder(), { "notes.md": "private" });
    const { root } = await find({ "shared/pdf/SKILL.md": skill("Reads"), ".claude/skills/x.md": "" });
    await symlink("../../shared/pdf", join(root, ".claude/skills/pdf"));
    const found = await findCommands([root], { isTrusted: async () => true, userFolders: [] });
    const [tool] = skillTools(found.commands);
    if (tool === undefined) throw new Error("There is no tool.");
    const { textOf } = await createToolContext();
    await rm(join(root, "shared/pdf"), { recursive: true });
    await symlink(outside, join(root, "shared/pdf"));
    await expect(textOf(tool, { name: "pdf", file: "notes.md" })).rejects.toMatchObject({ code: "not_found" });
  });
});
