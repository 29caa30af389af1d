import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createToolContext } from "../../test/tool-context.js";
import { gitPlaces } from "./git-folders.js";
import { gitPrograms } from "./git-programs.js";
import { runCommandTool } from "./run-command.js";

const session = { roots: [], signal: new AbortController().signal };

async function repository() {
  const session = await createToolContext();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: session.cwd, stdio: "ignore" });
  git("init", "-q");
  await writeFile(join(session.cwd, "a.js"), "1;\n");
  git("add", "-A");
  git("commit", "-qm", "a");
  const run = (command: string) => session.use(runCommandTool, { command });
  return { ...session, git, run };
}

describe("defect S4: settings of Git that start programs", () => {
  it.each([
    ["core.fsmonitor", "touch x"],
    ["core.hooksPath", "evil"],
    ["filter.a.b.clean", "touch x"],
    ["filter.x.process", "touch x"],
    ["diff.external", "touch x"],
    ["diff.x.textconv", "touch x"],
    ["diff.x.command", "touch x"],
    ["gpg.program", "./x"],
    ["gpg.ssh.program", "./x"],
    ["alias.st", "!touch x"],
    ["credential.https://a.b.helper", "!touch x"],
    ["remote.origin.uploadpack", "touch x"],
    ["core.sshCommand", "touch x"],
    ["protocol.ext.allow", "always"],
    ["tar.x.command", "touch x"],
    ["hook.x.command", "touch x"],
    ["gc.recentObjectsHook", "touch x"],
    ["lfs.customtransfer.x.path", "./x"],
    ["include.path", "../included"],
    ["includeIf.onbranch:other.path", "../included"],
  ])("%s is found, and its program is not started", async (name, value) => {
    const { cwd, git } = await repository();
    git("config", name, value);
    expect((await gitPrograms(cwd, session)).map((one) => one.toLowerCase())).toContain(
      `${name} = ${value}`.toLowerCase(),
    );
    expect(await readdir(cwd)).not.toContain("x");
  });

  it("are none in a plain repository, in a folder without one, and for a switch", async () => {
    const { cwd, git } = await repository();
    git("config", "core.fsmonitor", "false");
    git("config", "remote.origin.url", "https://example.org/x.git");
    expect(await gitPrograms(cwd, session)).toEqual([]);
    expect(await gitPrograms((await createToolContext()).cwd, session)).toEqual([]);
  });

  it("count in submodules, hooks and broken settings", async () => {
    const { cwd, git } = await repository();
    git("init", "-q", "inner");
    git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "a");
    git("add", "inner");
    git("-C", "inner", "config", "core.fsmonitor", "touch x");
    await writeFile(join(cwd, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
    await writeFile(join(cwd, ".git/hooks/notes"), "");
    expect(await gitPrograms(cwd, session)).toEqual(["hook .git/hooks/pre-commit", "inner: core.fsmonitor = touch x"]);
    await writeFile(join(cwd, "inner/.git/config"), "[core");
    expect(await gitPrograms(cwd, session)).toContain("inner: settings that cannot be read");
  });

  it.each([
    ["remote.origin.url", "r"],
    ["remote.origin.pushurl", "./r"],
    ["branch.main.remote", "r"],
    ["url.r.insteadOf", "https://example.org/x"],
    ["url.r.pushInsteadOf", "https://example.org/x"],
    ["remote.pushDefault", "../r/../HERE/r"],
    ["remote.origin.url", "file://HERE/r"],
    ["remote.origin.url", "named"],
  ])("count in a remote on this machine: %s = %s", async (name, value) => {
    const { cwd, git } = await repository();
    for (const bare of ["r", "named.git"]) {
      git("init", "-q", "--bare", bare);
      await writeFile(join(cwd, bare, "hooks/pre-receive"), "#!/bin/sh\n", { mode: 0o755 });
    }
    const here = (text: string) => text.replace("../r/../HERE", ".").replace("HERE", cwd);
    git("config", here(name), here(value));
    expect(JSON.stringify(await gitPrograms(cwd, session))).toContain("pre-receive");
  });

  it("count in remotes of files, as Git stored them before", async () => {
    const { cwd } = await repository();
    await mkdir(join(cwd, ".git/remotes"), { recursive: true });
    await writeFile(join(cwd, ".git/remotes/o"), "URL: r\n");
    expect(await gitPrograms(cwd, session)).toEqual(["remote .git/remotes/o"]);
  });

  it("are found although an index names very many submodules", async () => {
    const { cwd } = await repository();
    const id = "1".repeat(40);
    const input = Array.from({ length: 150_000 }, (_, at) => `160000 ${id}\tm${at}`).join("\n");
    execFileSync("git", ["update-index", "--index-info"], { cwd, input: `${input}\n` });
    expect(await gitPrograms(cwd, session)).toContain("more than 50 repositories");
  });

  it("are in the question, and an answer for ever covers these settings alone", async () => {
    const { cwd, turn, git, run } = await repository();
    turn.answer = () => "allow_always";
    await run("git status");
    await run("git status -s");
    expect(turn.questions).toHaveLength(1);
    git("config", "core.fsmonitor", "touch x");
    turn.answer = () => "reject_once";
    await expect(run("git status")).rejects.toMatchObject({ code: "denied" });
    expect(turn.questions).toHaveLength(2);
    expect(JSON.stringify(turn.calls.at(-1)?.content)).toContain("core.fsmonitor = touch x");
    expect(await readdir(cwd)).not.toContain("x");
  });

  it("are refused where no question could show them", async () => {
    const { turn, git, run } = await repository();
    for (let n = 0; n < 3; n += 1) git("config", `filter.f${n}.clean`, "x".repeat(10_000));
    await expect(run("git status")).rejects.toThrow("more programs than a question can show");
    expect(turn.questions).toEqual([]);
  });

  it.each(
    [
      ["git -C sub status", "git status -C sub", "git -Csub status", "git -C . -C sub status", "git -C link status"],
      ["cd sub && git status", "cd . && cd sub; git status", "pushd sub; git status", "cd in && git -C ../sub status"],
      [
        "git --git-dir=sub/.git status",
        "git --git-dir sub/.git --work-tree sub status",
        "git --git-dir=pointer status",
      ],
      ["g''it -C sub status", '"g"it -C sub status', "g\\it -C sub status", "GIT_DIR=sub/.git git status"],
      ["$(echo gi)t -C sub status", "cd $X && git status", "sh -c 'cd sub && g\"\"it status'", "cd su* && git status"],
      [
        "cd sub\ngit status",
        "(cd sub; git status)",
        "env -C sub git status",
        "env -S 'git -C sub status'",
        "cd; git status",
      ],
      ["x=git; $x -C sub status", "eval 'g''it -C sub status'", "g?t -C sub status", "echo status | xargs git -C sub"],
      ["git -C bare log", "cd bare && git log", "git --git-dir=bare log"],
    ].flat(),
  )("are found in a nested repository that the line names: %s", async (line) => {
    const { cwd, turn, git, run } = await repository();
    await mkdir(join(cwd, "in"));
    git("init", "-q", "sub");
    git("init", "-q", "--bare", "bare");
    await symlink("sub", join(cwd, "link"));
    await writeFile(join(cwd, "pointer"), "gitdir: sub/.git\n");
    for (const name of ["sub", "bare"]) git("-C", name, "config", "core.fsmonitor", "touch x");
    turn.answer = () => "reject_once";
    await expect(run(line)).rejects.toMatchObject({ code: "denied" });
    expect(JSON.stringify(turn.calls.at(-1)?.content)).toContain("core.fsmonitor = touch x");
  });

  it.each([
    ["40 options -C", `git ${Array.from({ length: 40 }, (_, at) => `-C d${at}`).join(" ")} status`],
    ["40 commands cd", `${Array.from({ length: 40 }, (_, at) => `cd d${at}`).join("; ")}; git status`],
    ["7 moves and many words", `${"cd a; cd b; cd c; ".repeat(2)}cd d; git ${"a b ".repeat(2_400)}`],
  ])("defect S22: are looked for within a bound: %s", async (_, line) => {
    const { cwd } = await repository();
    const began = process.cpuUsage();
    await gitPlaces(line.slice(0, 10_000), cwd);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(4_000);
  });

  it.each(["npm test", "digits", "ls sub", "cd sub && ls"])("are not looked for without Git: %s", async (line) => {
    const { cwd } = await repository();
    expect(await gitPlaces(line, cwd)).toBeUndefined();
  });

  it("are only those of the folder if the line names no other repository", async () => {
    const { cwd, git } = await repository();
    await mkdir(join(cwd, "in"));
    git("init", "-q", "sub");
    for (const line of ["git status", "cd in && git status", "git log -- in", "/usr/bin/git -C in status"]) {
      expect(await gitPlaces(line, cwd)).toEqual({ folders: [], isCut: false });
    }
    expect(await gitPlaces("g^it status", cwd, "win32")).toEqual({ folders: [join(cwd, "sub")], isCut: false });
    expect(await gitPrograms(join(cwd, "in"), session)).toEqual([]);
  });
});

it("defect S50: a value with Markdown and invisible characters is shown literally, each program on one line", async () => {
  const { git, run, turn } = await repository();
  git("config", "core.fsmonitor", "true\n\n[ -n x ; ./evil.sh ; ]: x\n```\n\u202e\u200b");
  turn.answer = () => "reject_once";
  await expect(run("git status")).rejects.toMatchObject({ code: "denied" });
  const shown = JSON.stringify(turn.calls.at(-1)?.content);
  const { content } = turn.calls.at(-1) ?? {};
  const text = (JSON.parse(shown).find((one: { type: string }) => one.type === "content") ?? content).content.text;
  expect(text.split("\n").slice(2)).toEqual([
    "````",
    '"core.fsmonitor = true\\n\\n[ -n x ; ./evil.sh ; ]: x\\n```\\n\\u{202e}\\u{200b}"',
    "````",
  ]);
});
