import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { missing, openProject, start, titled } from "../../test/sandbox.js";
import { createFolder } from "../../test/tool-context.js";
import { recover } from "./recover.js";

const aside = ".turnkit-set-aside-1";

/**
 * Gives the plans of this process to one that has ended, as if this process had been killed long ago. Returns the time at
 * which the command had certainly ended.
 */
async function kill(plans: string): Promise<number> {
  let until = 0;
  const child = spawn("true");
  await once(child, "exit");
  for (const name of await readdir(plans)) {
    const killed = join(plans, name.replace(`-${process.pid}-`, `-${child.pid}-`));
    await rename(join(plans, name), killed);
    until = Date.now();
    const long = new Date(until - 30_000);
    await utimes(killed, long, long);
  }
  return until;
}

/** Writes a file that is born after a time. The clock of files is some milliseconds behind. */
async function writeAfter(time: number, path: string, text: string): Promise<void> {
  do {
    await rm(path, { force: true });
    await writeFile(path, text);
  } while ((await stat(path)).birthtimeMs <= time);
}

/** Opens a project in which a command has run, and whose agent has not cleaned up after it. */
async function openKilled(line: string) {
  const state = await createFolder();
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = state;
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  });
  const project = await openProject();
  await project.write("AGENTS.md", "mine");
  const { argv, finish } = await project.sandbox.wrap({
    argv: ["/bin/sh", "-c", line],
    cwd: project.root,
    network: false,
  });
  await start(argv);
  const plans = join(state, "turnkit/agent/plans");
  return { ...project, finish, plans, recover: () => recover(plans, { path: process.env.PATH ?? "", roots: [] }) };
}

describe.skipIf(missing !== undefined)(titled("after an agent was killed during a command"), () => {
  it("defect S4: the next start renames the protected files of the command, and nothing else", async () => {
    const { root, plans, recover } = await openKilled(
      "mkdir -p in .git/hooks; echo x > .git/hooks/a; echo x > in/.envrc",
    );
    await writeAfter(await kill(plans), join(root, ".npmrc"), "of an editor, later");
    const sentences = await recover();
    expect([(await readdir(root)).sort(), await readdir(join(root, "in"))]).toEqual([
      [`.git${aside}`, ".npmrc", "AGENTS.md", "in"],
      [`.envrc${aside}`],
    ]);
    expect(sentences).toHaveLength(2);
    expect(sentences[0]).toMatch(/^The agent ended during a command in .*\.git is protected/);
    expect([await readdir(plans), await recover()]).toEqual([[], []]);
  });

  it("defect S4: the plan of a living agent stays as it is", async () => {
    const { root, plans, recover, finish } = await openKilled("echo x > .envrc");
    expect([await recover(), (await readdir(root)).sort()]).toEqual([[], [".envrc", "AGENTS.md"]]);
    expect(await readdir(plans)).toHaveLength(1);
    await finish();
    expect([await readdir(plans), (await readdir(root)).sort()]).toEqual([[], [`.envrc${aside}`, "AGENTS.md"]]);
  });

  it("defect S4: a plan that cannot be read is reported once, and one of a removed project is dropped", async () => {
    const { root, plans, recover } = await openKilled("true");
    const gone = join(dirname(root), `gone-${process.pid}`);
    await rename(root, gone);
    onTestFinished(() => rename(gone, root));
    await kill(plans);
    expect([await recover(), await readdir(plans)]).toEqual([[], []]);
    const broken = await openKilled("true");
    for (const name of await readdir(broken.plans)) await writeFile(join(broken.plans, name), "{");
    await kill(broken.plans);
    expect(await broken.recover()).toEqual([expect.stringMatching(/could not be read/)]);
    expect(await broken.recover()).toEqual([]);
  });

  it.each(["null", "{}", '{"roots":[],"mounts":[],"covered":[null],"paths":{},"since":0}', "[".repeat(9)])(
    "a plan of the form %s is removed, and the other plans count all the same",
    async (text) => {
      const { root, plans, recover } = await openKilled("echo x > .envrc");
      const [name = ""] = await readdir(plans);
      // One of the two comes before the plan of the command, in whatever order the system lists them.
      for (const id of ["00000000-0000", "ffffffff-ffff"])
        await writeFile(join(plans, name.replace(/.{36}\.json$/, `${id}-0000-0000-000000000000.json`)), text);
      await kill(plans);
      expect((await recover()).filter((sentence) => /could not be read/.test(sentence))).toHaveLength(2);
      expect([(await readdir(root)).sort(), await readdir(plans)]).toEqual([[`.envrc${aside}`, "AGENTS.md"], []]);
    },
  );

  it("a plan that others may write is removed and not used", async () => {
    const { root, plans, recover } = await openKilled("echo x > .envrc");
    const [name = ""] = await readdir(plans);
    await chmod(join(plans, name), 0o666);
    await kill(plans);
    expect(await recover()).toEqual([expect.stringMatching(/others may write it/)]);
    expect([(await readdir(root)).sort(), await readdir(plans)]).toEqual([[".envrc", "AGENTS.md"], []]);
  });
});
