import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { createCheckpoints } from "./checkpoints.js";
import { removeOldStores } from "./old-stores.js";
import { openShadowGit } from "./shadow-git.js";
import { createTurnRefs } from "./turn-refs.js";

const command = { type: "command" } as Parameters<ReturnType<typeof createCheckpoints>["before"]>[0];
const DAY = 24 * 60 * 60 * 1000;

async function setUp(files: Readonly<Record<string, string>> = {}, env: NodeJS.ProcessEnv = process.env) {
  const [cwd, stores] = [await createFolder(), await createFolder()];
  const problems: string[] = [];
  const write = async (name: string, text: string | Buffer) => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const open = () =>
    createCheckpoints({
      sessionId: "one",
      cwd,
      roots: [cwd],
      stores,
      env,
      signal: new AbortController().signal,
      isSecret: (path) => path.endsWith(".env"),
      onProblem: (reason) => problems.push(reason),
    });
  const checkpoints = open();
  /** Runs a turn that may change any file. */
  const turn = async (promptId: string, work: () => Promise<unknown>) => {
    checkpoints.begin(promptId);
    await checkpoints.before(command);
    await work();
    await checkpoints.end();
  };
  const read = (name: string) => readFile(join(cwd, name), "utf8");
  return { cwd, stores, problems, checkpoints, open, turn, write, read };
}

describe("P16 undo: the files of a turn", () => {
  it("are as before: changed, removed, added, moved, with their rights and links", async () => {
    const { cwd, checkpoints, turn, write, read } = await setUp({
      "a.txt": "a",
      "src/b.txt": "b",
      "run.sh": "#!/bin/sh",
    });
    await chmod(join(cwd, "run.sh"), 0o755);
    await symlink("a.txt", join(cwd, "link"));
    const odd = Buffer.concat([Buffer.from(`${cwd}/odd-`), Buffer.from([0xff, 0x0a])]);
    await writeFile(odd, "odd");
    await turn("p", async () => {
      await write("a.txt", "other");
      await rm(join(cwd, "src"), { recursive: true });
      await write("src", "a file now");
      await write("new/deep/c.txt", "c");
      await rm(join(cwd, "run.sh"));
      await rm(join(cwd, "link"));
      await rm(odd);
    });
    const undone = await checkpoints.undo("p");
    expect([...undone.restored].sort()).toEqual(
      ["a.txt", "link", "new/deep/c.txt", "odd-\ufffd\n", "run.sh", "src", "src/b.txt"].sort(),
    );
    expect([await read("a.txt"), await read("src/b.txt"), await readFile(odd, "utf8")]).toEqual(["a", "b", "odd"]);
    expect(await readlink(join(cwd, "link"))).toBe("a.txt");
    expect((await stat(join(cwd, "run.sh"))).mode & 0o111).toBe(0o111);
    expect(existsSync(join(cwd, "new"))).toBe(false);
  });

  it("that a person changed since are kept and named, the others are restored", async () => {
    const { checkpoints, turn, write, read } = await setUp({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
    await turn("p", async () => {
      for (const name of ["a.txt", "b.txt", "c.txt"]) await write(name, "by the agent");
    });
    await write("b.txt", "by a person");
    await write("c.txt", "c");
    expect(await checkpoints.undo("p")).toMatchObject({ restored: ["a.txt"], kept: ["b.txt"], isUnfinished: false });
    expect([await read("a.txt"), await read("b.txt"), await read("c.txt")]).toEqual(["a", "by a person", "c"]);
  });

  it("are only those that it edited, if it ran no command", async () => {
    const { cwd, checkpoints, write, read } = await setUp({ "a.txt": "a", "mine.txt": "mine" });
    checkpoints.begin("p");
    await checkpoints.before({ type: "edit", path: join(cwd, "a.txt") });
    await write("a.txt", "edited");
    await write("mine.txt", "by a person, meanwhile");
    await checkpoints.end();
    expect(await checkpoints.undo("p")).toMatchObject({ restored: ["a.txt"], kept: [] });
    expect(await read("mine.txt")).toBe("by a person, meanwhile");
  });

  it("are told apart by turn, and survive the agent", async () => {
    const { open, turn, write, read } = await setUp({ "a.txt": "1" });
    await turn("p", () => write("a.txt", "2"));
    await turn("q", () => write("a.txt", "3"));
    const later = open();
    expect(await later.changes()).toMatchObject([{ name: "a.txt", operation: "modify", before: "1", after: "3" }]);
    expect(await later.changes("q")).toMatchObject([{ before: "2", after: "3" }]);
    await later.undo("q");
    expect(await read("a.txt")).toBe("2");
    await later.undo("p");
    expect(await read("a.txt")).toBe("1");
    expect(await later.undo("p")).toMatchObject({ restored: [], kept: [] });
  });

  it("are left alone if the agent was killed in that turn", async () => {
    const { checkpoints, open, write, read } = await setUp({ "a.txt": "1" });
    checkpoints.begin("p");
    await checkpoints.before(command);
    await write("a.txt", "2");
    expect(await open().undo("p")).toMatchObject({ restored: [], isUnfinished: true });
    expect(await read("a.txt")).toBe("2");
  });

  it("leave out ignored, large and secret files, and say which edits those were", async () => {
    const large = "x".repeat(5 * 1024 * 1024 + 1);
    const { cwd, checkpoints, write, read } = await setUp({
      ".gitignore": "dist\n",
      "dist/a.js": "a",
      "large.txt": large,
      ".env": "S=1",
    });
    checkpoints.begin("p");
    const edited = ["dist/a.js", "large.txt", ".env", "b.txt"];
    for (const name of edited) {
      await checkpoints.before({ type: "edit", path: join(cwd, name) });
      await write(name, `${name} edited`);
    }
    await checkpoints.end();
    const undone = await checkpoints.undo("p");
    expect(undone.restored).toEqual(["b.txt"]);
    expect(undone.missed.map((path) => path.slice(cwd.length + 1))).toEqual(["dist/a.js", "large.txt", ".env"]);
    expect(await read("large.txt")).toBe("large.txt edited");
  });

  it("are never removed because they became visible to Git in the turn", async () => {
    const { cwd, checkpoints, turn, write, read } = await setUp({
      ".gitignore": "notes\n",
      "notes/a.txt": "a",
      "in/b.txt": "b",
    });
    execFileSync("git", ["init", "-q", join(cwd, "in")]);
    await turn("p", async () => {
      await write(".gitignore", "");
      await rm(join(cwd, "in/.git"), { recursive: true });
    });
    expect((await checkpoints.undo("p")).restored).toEqual([".gitignore"]);
    expect([await read("notes/a.txt"), await read("in/b.txt")]).toEqual(["a", "b"]);
  });
});

describe("P16 undo: a hostile project", () => {
  it("starts no program, changes no byte, and its repository is not touched", async () => {
    const { cwd, stores, checkpoints, turn, write } = await setUp({
      ".gitattributes":
        "* text=auto eol=lf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n*.bin filter=evil diff=evil merge=evil\n",
      "a.id": "$Id$\r\n",
      "c.bin": "c",
    });
    await write("b.u16", Buffer.from("h\0i\0"));
    execFileSync("git", ["init", "-q", cwd]);
    const evil = `touch ${stores}/evil; cat`;
    const settings = [
      "filter.evil.clean",
      "filter.evil.smudge",
      "diff.evil.command",
      "diff.evil.textconv",
      "core.fsmonitor",
    ];
    for (const setting of settings) execFileSync("git", ["-C", cwd, "config", setting, evil]);
    for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"]) {
      await write(`.git/hooks/${hook}`, `#!/bin/sh\n${evil}\n`);
      await chmod(join(cwd, ".git/hooks", hook), 0o755);
    }
    const repository = async () => {
      const files = await readdir(join(cwd, ".git"), { recursive: true });
      return Promise.all(files.sort().map(async (name) => [name, (await stat(join(cwd, ".git", name))).mtimeMs]));
    };
    const names = ["a.id", "b.u16", "c.bin", ".gitattributes"];
    const bytes = async () => Promise.all(names.map(async (name) => (await readFile(join(cwd, name))).toString("hex")));
    const [before, own] = [await bytes(), await repository()];
    await turn("p", async () => {
      for (const name of names) await write(name, "changed\r\n");
    });
    await checkpoints.changes("p");
    await checkpoints.undo("p");
    expect(await bytes()).toEqual(before);
    expect(await repository()).toEqual(own);
    expect(existsSync(join(stores, "evil"))).toBe(false);
  });

  it("does not choose the program, the repository or the settings", async () => {
    const bin = await createFolder();
    const config = join(bin, "config");
    await writeFile(config, `[core]\n\tfsmonitor = "touch ${bin}/evil"\n`);
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: bin,
      GIT_CONFIG_GLOBAL: config,
      GIT_DIR: "/nowhere",
      GIT_INDEX_FILE: "/nowhere",
      GIT_EXEC_PATH: bin,
      GIT_OBJECT_DIRECTORY: join(bin, "objects"),
    };
    const { cwd, problems, checkpoints, turn, write, read } = await setUp(
      { "a.txt": "a", "bin/git": `#!/bin/sh\ntouch ${bin}/evil` },
      env,
    );
    await chmod(join(cwd, "bin/git"), 0o755);
    env.PATH = `${join(cwd, "bin")}:${env.PATH}`;
    await turn("p", () => write("a.txt", "b"));
    await checkpoints.undo("p");
    expect([await read("a.txt"), problems, await readdir(bin)]).toEqual(["a", [], ["config"]]);
  });

  it("defect S52: are as before, although a command replaced a stored folder by a link", async () => {
    const { cwd, checkpoints, turn, read } = await setUp({ "d/f.txt": "mine", "d/in/g.txt": "mine too", "e.txt": "e" });
    const outside = await createFolder();
    await writeFile(join(outside, "f.txt"), "theirs");
    await turn("p", async () => {
      await rm(join(cwd, "d"), { recursive: true });
      await symlink(outside, join(cwd, "d"));
    });
    await checkpoints.undo("p");
    expect([await read("d/f.txt"), await read("d/in/g.txt")]).toEqual(["mine", "mine too"]);
    expect(await readFile(join(outside, "f.txt"), "utf8")).toBe("theirs");
  });

  it("cannot lead an undo out of the folder by a link", async () => {
    const { cwd, checkpoints, turn, write } = await setUp({ "d/a.txt": "a" });
    const outside = await createFolder();
    await turn("p", () => write("d/a.txt", "b"));
    await writeFile(join(outside, "a.txt"), "b");
    await rm(join(cwd, "d"), { recursive: true });
    await symlink(outside, join(cwd, "d"));
    expect(await checkpoints.undo("p")).toMatchObject({ restored: [], kept: ["d/a.txt"] });
    expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("b");
    expect((await lstat(join(cwd, "d"))).isSymbolicLink()).toBe(true);
  });
});

describe("P16 undo: the stores", () => {
  it("keep the time of their index, by which Git finds a change that was made in the second of a snapshot", async () => {
    const { stores, turn, write, checkpoints } = await setUp({ "a.txt": "a" });
    await turn("p", () => write("a.txt", "b"));
    const [name = ""] = await readdir(stores);
    const index = join(stores, name, "index");
    await utimes(index, 1_000_000_000, 1_000_000_000);
    expect(await checkpoints.changes()).toHaveLength(1);
    expect((await stat(index)).mtimeMs).toBe(1_000_000_000_000);
  });

  it("are for the user alone, and lose old turns, and in the end themselves", async () => {
    const { cwd, stores, turn, write, checkpoints } = await setUp({ "a.txt": "a" });
    await turn("p", () => write("a.txt", "b"));
    const [name = ""] = await readdir(stores);
    expect((await stat(join(stores, name))).mode & 0o077).toBe(0);
    const git = await openShadowGit(stores, cwd, { signal: new AbortController().signal, roots: [] });
    const refs = createTurnRefs(git, "one");
    await refs.expire();
    expect(await refs.find()).toHaveLength(1);
    await refs.expire(Date.now() + 15 * DAY);
    expect(await checkpoints.undo("p")).toMatchObject({ restored: [] });
    await removeOldStores(stores);
    expect(await readdir(stores)).toEqual([name]);
    await removeOldStores(stores, Date.now() + 31 * DAY);
    expect(await readdir(stores)).toEqual([]);
  });

  it("do not exist without git, which is said once, and the turn goes on", async () => {
    const { problems, checkpoints, turn, write, read } = await setUp({ "a.txt": "a" }, { PATH: "/nowhere" });
    await turn("p", () => write("a.txt", "b"));
    await turn("q", () => write("a.txt", "c"));
    expect([await read("a.txt"), problems]).toEqual(["c", ["git is not installed"]]);
    await expect(checkpoints.undo("q")).rejects.toThrow("git is not installed");
  });
});
