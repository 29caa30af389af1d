import { chmod, chown, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import { createFolder } from "../test/tool-context.js";
import { readKeys } from "./config/keys.js";
import { readConfig } from "./config/settings.js";
import { createProjectConfig } from "./project-config.js";
import { readProjectRules } from "./rules/project-rules.js";
import { createTrust } from "./trust.js";

const STRANGER = 12_345;
const isRoot = process.getuid?.() === 0;

async function setUp() {
  const file = join(await createFolder(), "state", "trust.json");
  const turn = new RecordingTurn();
  return { file, turn, folder: await createFolder() };
}

describe("trust in a folder", () => {
  it("is asked for once, and holds for its real path from then on", async () => {
    const { file, turn, folder } = await setUp();
    turn.answer = () => "allow_always";
    const link = join(await createFolder(), "link");
    await symlink(folder, link);
    expect(await createTrust(file, false).covers(folder, turn)).toBe(true);
    expect(await createTrust(file, false).covers(link, turn)).toBe(true);
    expect(turn.questions).toHaveLength(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await createTrust(file, false).covers(join(folder, ".."), turn)).toBe(true);
    expect(turn.questions).toHaveLength(2);
  });

  it.each([
    ["allow_once", true],
    ["reject_once", false],
    ["", false],
  ])("holds for the session after %s: %s", async (kind, expected) => {
    const { file, turn, folder } = await setUp();
    turn.answer = () => kind;
    const trust = createTrust(file, false);
    expect([await trust.covers(folder, turn), await trust.covers(folder, turn)]).toEqual([expected, expected]);
    expect(turn.questions).toHaveLength(1);
    await createTrust(file, false).covers(folder, turn);
    expect(turn.questions).toHaveLength(2);
  });

  it("needs no question with --trust", async () => {
    const { file, turn, folder } = await setUp();
    expect(await createTrust(file, true).covers(folder, turn)).toBe(true);
    expect(turn.questions).toEqual([]);
  });

  it("ends where the folder belongs to another user", async ({ skip }) => {
    skip(!isRoot, "only root can change an owner");
    const { file, turn, folder } = await setUp();
    turn.answer = () => "allow_always";
    await createTrust(file, false).covers(folder, turn);
    await chown(folder, STRANGER, STRANGER);
    turn.answer = () => "reject_once";
    expect(await createTrust(file, false).covers(folder, turn)).toBe(false);
  });
});

describe("defect S19: a file that decides what the agent does", () => {
  it("is not believed if others may write it, or could have", async () => {
    const { file, turn, folder } = await setUp();
    turn.answer = () => "allow_always";
    await createTrust(file, false).covers(folder, turn);
    await chmod(file, 0o666);
    await expect(createTrust(file, false).covers(folder, turn)).rejects.toThrow("others may write it");
    for (const [name, text] of [
      ["keys.json", '{"openai":"x"}'],
      ["agent.json", '{"mode":"auto"}'],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600 });
      const read = () => (name === "keys.json" ? readKeys(folder) : readConfig({ config: path }));
      expect(await read()).toEqual(JSON.parse(text));
      await chmod(path, 0o606);
      await expect(read()).rejects.toThrow("others may write it");
      await chmod(path, 0o600);
      if (isRoot) {
        await chown(path, STRANGER, STRANGER);
        await expect(read()).rejects.toThrow("another user");
      }
    }
  });

  it("is replaced without following a link that waits for its draft", async () => {
    const { file, turn, folder } = await setUp();
    turn.answer = () => "allow_always";
    const victim = join(folder, "victim");
    await writeFile(victim, "mine");
    await mkdir(join(file, ".."), { recursive: true });
    await symlink(victim, `${file}.${process.pid}`);
    await createTrust(file, false).covers(folder, turn);
    expect(await readFile(victim, "utf8")).toBe("mine");
    await rename(file, victim);
    await symlink(victim, file);
    expect(await createTrust(file, false).covers(folder, turn)).toBe(true);
  });
});

describe("P16: the settings of a project", () => {
  const setUp = async (answer: string | undefined, content: string) => {
    const [folder, state] = [await createFolder(), await createFolder()];
    const path = join(folder, ".turnkit", "agent.json");
    await mkdir(join(folder, ".git"));
    await mkdir(join(folder, ".turnkit"));
    await writeFile(path, content);
    const turn = new RecordingTurn();
    turn.answer = () => answer;
    const problems: string[] = [];
    const open = (always = false, cwd = folder) => {
      const trust = createTrust(join(state, "trust.json"), always);
      const onProblem = (reason: string) => problems.push(reason);
      return createProjectConfig({ cwd }, { trust, onRefused: (paths) => problems.push(...paths), onProblem });
    };
    return { folder, path, turn, problems, open };
  };
  const content = JSON.stringify({ hooks: { endOfTurn: [{ run: "make check" }] } });

  it("are asked about with their whole content, and again after each change", async () => {
    const { path, turn, open } = await setUp("allow_always", content);
    expect(await open().refresh(turn)).toEqual(JSON.parse(content));
    expect(JSON.stringify(turn.calls[0]?.content)).toContain("make check");
    expect(turn.questions[0]?.options?.map(({ name }) => name)).toEqual([
      "Use it in this session",
      "Use it until it changes",
      "Do not use it",
    ]);
    await open().refresh(turn);
    expect(turn.questions).toHaveLength(1);
    await writeFile(path, content.replace("check", "evil"));
    turn.answer = () => "reject_once";
    const project = open();
    expect([await project.refresh(turn), await project.refresh(turn)]).toEqual([{}, {}]);
    expect(turn.questions).toHaveLength(2);
    expect(await open(true).refresh(turn)).toMatchObject({ hooks: {} });
  });

  it("hide nothing from the question: members that occur twice, and escapes", async () => {
    const { turn, open } = await setUp(
      "allow_once",
      `{"permissions":{"deny":[]},"permissions":{"allow":["run r\\u006d *"]}}`,
    );
    await open().refresh(turn);
    const shown = JSON.stringify(turn.calls[0]?.content);
    expect(shown).toContain("run rm *");
    expect(shown).not.toContain("deny");
  });

  it("are those of the nearest folder, up to the repository", async () => {
    const { folder, turn, open } = await setUp("allow_once", content);
    await mkdir(join(folder, "in/deep"), { recursive: true });
    expect(await open(false, join(folder, "in/deep")).refresh(turn)).toMatchObject({ hooks: {} });
    await mkdir(join(folder, "in/.turnkit"));
    await writeFile(join(folder, "in/.turnkit/agent.json"), "{}");
    expect(await open(false, join(folder, "in/deep")).refresh(turn)).toEqual({});
  });

  it.each([
    ["cannot be read", "{", /is not valid JSON/],
    [
      "are too long for a question",
      JSON.stringify({ permissions: { allow: Array(100).fill(`run ${"x".repeat(300)}`) } }),
      /longer than a question/,
    ],
    ["ask for more", JSON.stringify({ model: "x" }), /model/],
  ])("are not used if they %s, which each reading reports", async (_, text, reason) => {
    const { turn, problems, open } = await setUp("allow_once", text);
    const project = open();
    expect([await project.refresh(turn), await project.refresh(turn)]).toEqual([{}, {}]);
    const report = expect.stringMatching(reason);
    expect([problems, turn.questions]).toEqual([[report, report], []]);
  });

  it("are not used if another user could have written them", async () => {
    const { path, turn, problems, open } = await setUp("allow_once", content);
    await chmod(path, 0o666);
    expect(await open().refresh(turn)).toEqual({});
    expect([problems, turn.questions]).toEqual([[path], []]);
  });
});

describe("defect S13: rules of a folder", () => {
  const read = (roots: readonly string[], trusted = true) =>
    readProjectRules(roots, { isTrusted: async () => trusted, userFolder: "/nowhere" });

  async function project() {
    const root = await createFolder();
    await mkdir(join(root, ".git"));
    await mkdir(join(root, "inner"));
    await writeFile(join(root, "AGENTS.md"), "Outer rules.");
    await writeFile(join(root, "inner", "AGENTS.md"), "Inner rules.");
    return root;
  }

  it("are none unless it is trusted, and nobody is asked where there are no rules", async () => {
    const root = await project();
    expect((await read([root], false)).text).toBe("");
    const asked: string[] = [];
    const empty = await createFolder();
    await readProjectRules([empty, root], {
      isTrusted: async (folder) => asked.push(folder) > 0,
      userFolder: "/nowhere",
    });
    expect(asked).toEqual([root]);
  });

  it.each([
    ["the repository's folder", "", ["Inner"]],
    ["its .git", ".git", ["Inner"]],
    ["the file", "AGENTS.md", ["Inner"]],
  ])("are not those of another user: %s", async (_what, name, kept) => {
    const root = await project();
    if (isRoot) await chown(join(root, name), STRANGER, STRANGER);
    else await chmod(join(root, name), 0o777);
    const { text } = await read([join(root, "inner")]);
    expect(["Outer", "Inner"].filter((word) => text.includes(word))).toEqual(kept);
  });
});

describe("defect S27: a file of rules that another user could have written", () => {
  const spoil = (path: string) => (isRoot ? chown(path, STRANGER, STRANGER) : chmod(path, 0o777));

  it("is not used in an inner folder, behind a link, or in the session's own folder, and is reported", async () => {
    const root = await createFolder();
    await mkdir(join(root, ".git"));
    for (const name of ["inner", "linked", "session"]) await mkdir(join(root, name));
    await writeFile(join(root, "inner", "AGENTS.md"), "Foreign.");
    await writeFile(join(root, "foreign.md"), "Foreign.");
    await symlink("../foreign.md", join(root, "linked", "AGENTS.md"));
    await writeFile(join(root, "session", "AGENTS.md"), "Foreign.");
    for (const name of ["inner/AGENTS.md", "foreign.md", "session"]) await spoil(join(root, name));
    for (const name of ["inner", "linked", "session"]) {
      const rules = await readProjectRules([join(root, name)], { isTrusted: async () => true, userFolder: "/nowhere" });
      expect(rules).toEqual({ text: "", refused: [join(root, name, "AGENTS.md")] });
    }
  });
});
