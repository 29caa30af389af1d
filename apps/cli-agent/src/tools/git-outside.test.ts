import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, createToolContext } from "../../test/tool-context.js";
import { openRepository } from "../git/repository.js";
import { gitDiffTool, gitLogTool } from "./git-tools.js";

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" }).trim();

async function commitIn(cwd: string, name: string): Promise<void> {
  git(cwd, "init", "-qb", name);
  await writeFile(join(cwd, `${name}.txt`), `text of ${name}\n`);
  git(cwd, "add", "-A");
  git(cwd, "commit", "-qm", `commit of ${name}`);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Replaces a part of `.git` by a link. */
async function link(to: string, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await symlink(to, path);
}

/** Creates a chain of alternates inside a project, whose last one leads to other objects. */
async function chain(cwd: string, levels: number, theirs: string): Promise<void> {
  let objects = join(cwd, ".git/objects");
  for (let level = 0; level < levels; level += 1) {
    const next = join(cwd, `store-${level}`);
    await mkdir(next);
    await write(join(objects, "info/alternates"), `${level === 0 ? relative(objects, next) : next}\n`);
    objects = next;
  }
  await write(join(objects, "info/alternates"), `# a note\n${join(theirs, ".git/objects")}\n`);
}

type Attack = (cwd: string, theirs: string) => unknown;

const attacks: readonly (readonly [string, Attack])[] = [
  ...[0, 1, 2, 5].map((levels) => {
    const attack: Attack = (cwd, theirs) => chain(cwd, levels, theirs);
    return [`an alternate behind ${levels} others`, attack] as const;
  }),
  [
    "a quoted alternate",
    (cwd, theirs) => write(join(cwd, ".git/objects/info/alternates"), `"${theirs}/.git/objects"\n`),
  ],
  [
    "an alternate whose packs are a link",
    async (cwd, theirs) => {
      await link(join(theirs, ".git/objects/pack"), join(cwd, "store/pack"));
      await write(join(cwd, ".git/objects/info/alternates"), "../../store\n");
    },
  ],
  ...["objects", "objects/pack", "objects/info", "refs", "refs/heads", "reftable", "logs", "packed-refs", "index"].map(
    (part) => {
      const attack: Attack = async (cwd, theirs) => {
        git(theirs, "pack-refs", "--all");
        await mkdir(join(theirs, ".git/reftable"));
        await link(join(theirs, ".git", part), join(cwd, ".git", part));
      };
      return [`a link in the place of ${part}`, attack] as const;
    },
  ),
  ["a link below refs", (cwd, theirs) => link(join(theirs, ".git/refs/heads"), join(cwd, ".git/refs/heads/a/b"))],
  [
    "a link to a link",
    async (cwd, theirs) => {
      await link(join(theirs, ".git/refs"), join(cwd, "inner"));
      await link("../../inner", join(cwd, ".git/refs/a"));
    },
  ],
  [
    "links in the place of single objects",
    async (cwd, theirs) => {
      for (const folder of await readdir(join(theirs, ".git/objects"))) {
        if (folder.length > 2) continue;
        for (const name of await readdir(join(theirs, ".git/objects", folder))) {
          await link(join(theirs, ".git/objects", folder, name), join(cwd, ".git/objects", folder, name));
        }
      }
    },
  ],
];

describe.skipIf(process.platform === "win32")("defect S48: a repository does not lead to a private one", () => {
  it.each(attacks)("by %s", async (_, attack) => {
    const theirs = await createFolder();
    await commitIn(theirs, "private");
    const { cwd, use } = await createToolContext();
    await commitIn(cwd, "mine");
    const from = git(theirs, "rev-parse", "HEAD");
    await attack(cwd, theirs);
    for (const [tool, input] of [
      [gitDiffTool, { from }],
      [gitLogTool, {}],
    ] as const) {
      await expect(use(tool, input)).rejects.toMatchObject({ name: "ToolError" });
    }
  });

  it("of a folder further up, by a .git file or an alternate", async () => {
    const above = await createFolder();
    await commitIn(above, "private");
    const inner = join(above, "inner");
    await mkdir(inner);
    const session = { roots: [inner], signal: new AbortController().signal };
    // The repository around the session's folder is its own.
    await expect(openRepository(inner, session)).resolves.toMatchObject({ folder: inner });
    await writeFile(join(inner, ".git"), "gitdir: ../.git\n");
    await expect(openRepository(inner, session)).rejects.toMatchObject({ code: "outside" });
    await rm(join(inner, ".git"));
    await commitIn(inner, "mine");
    await expect(openRepository(inner, session)).resolves.toMatchObject({ folder: inner });
    await write(join(inner, ".git/objects/info/alternates"), "../../../.git/objects\n");
    await expect(openRepository(inner, session)).rejects.toMatchObject({ code: "outside" });
  });

  it("but may have links and alternates inside the session's folders, and a link that Git does not read", async () => {
    const other = await createFolder();
    await commitIn(other, "other");
    const { cwd, textOf } = await createToolContext({ roots: [other] });
    await commitIn(cwd, "mine");
    await chain(cwd, 1, other);
    await link("refs/heads/mine", join(cwd, ".git/HEAD"));
    await link(await createFolder(), join(cwd, ".git/hooks"));
    expect(await textOf(gitLogTool, {})).toContain("commit of mine");
    expect(await textOf(gitLogTool, { from: git(other, "rev-parse", "HEAD") })).toContain("commit of other");
  });
});

describe.skipIf(process.platform === "win32")("defect S49: a file without an end in a repository", () => {
  it.each(["objects/info/alternates", "commondir", "HEAD", "config", "packed-refs", "index"])(
    "in the place of %s is not read",
    async (name) => {
      for (const kind of ["device", "pipe"]) {
        const { cwd, use } = await createToolContext();
        await commitIn(cwd, "mine");
        await link("/dev/zero", join(cwd, ".git", name));
        if (kind === "pipe") {
          await rm(join(cwd, ".git", name));
          execFileSync("mkfifo", [join(cwd, ".git", name)]);
        }
        const message = expect.stringContaining("is a device, a pipe or too large");
        await expect(use(gitDiffTool, {})).rejects.toMatchObject({ name: "ToolError", message });
      }
    },
  );
});
