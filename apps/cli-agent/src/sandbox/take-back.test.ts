import { execFileSync } from "node:child_process";
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
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createPathCheck } from "@turnkit/session/paths";
import { describe, expect, it, onTestFinished } from "vitest";
import { missing, openProject, titled } from "../../test/sandbox.js";
import { createFolder } from "../../test/tool-context.js";
import { createCoveredPathSearch } from "./covered-paths.js";

const aside = ".turnkit-set-aside-1";
const sh = (line: string, cwd: string) => execFileSync("/bin/sh", ["-c", line], { cwd, encoding: "utf8" });

describe.skipIf(missing !== undefined)(titled("after a command in bubblewrap"), () => {
  it("defect S18: a link in place of a folder leads no write to the home folder", async () => {
    const home = await createFolder();
    const { root, run, write } = await openProject({ env: { ...process.env, HOME: home } });
    await write("x/other", "");
    await symlink(join(root, "evil.sh"), join(root, "x/.bash_profile"));
    const { notes } = await run(`rm -rf x; ln -s ${home} x; echo evil > evil.sh`);
    expect(await readdir(home)).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/x\/\.bash_profile.*was removed or replaced.*not restored/)]);
  });

  it("defect S18: a folder that becomes a link during the search does not move files of the user", async () => {
    const home = await createFolder();
    await mkdir(join(home, ".ssh"));
    const { root, run } = await openProject();
    const swap = "import ctypes,os,sys\nl=ctypes.CDLL(None)\nwhile True:\n  l.renameat2(-100,b'd',-100,b'l',2)\n";
    await mkdir(join(root, "d"));
    await symlink(home, join(root, "l"));
    const { spawn } = await import("node:child_process");
    const swapper = spawn("python3", ["-c", swap], { cwd: root, stdio: "ignore" });
    onTestFinished(() => void swapper.kill("SIGKILL"));
    for (let round = 0; round < 4; round += 1) await run("mkdir d/.ssh l/.ssh").catch(() => undefined);
    expect(await readdir(home)).toEqual([".ssh"]);
  });

  it("defect S4: a protected link that a command removes or replaces is created again", async () => {
    const { root, run, write } = await openProject();
    await write("scripts/env");
    await mkdir(join(root, "in"));
    await symlink("scripts/env", join(root, ".envrc"));
    await symlink("../scripts/none", join(root, "in/.npmrc"));
    const { notes } = await run("rm .envrc; ln -s /bin/sh .envrc; rm in/.npmrc; echo x > in/.npmrc");
    expect(await readlink(join(root, ".envrc"))).toBe("scripts/env");
    expect(await readlink(join(root, "in/.npmrc"))).toBe("../scripts/none");
    expect(await readlink(join(root, `.envrc${aside}`))).toBe("/bin/sh");
    expect(notes.filter((note) => note.endsWith("It is restored."))).toHaveLength(2);
    const later = (await run("rm in/.npmrc; echo evil > scripts/none")).notes;
    expect(later).toEqual([expect.stringMatching(/in\/\.npmrc .* It is not restored\.$/)]);
  });

  it("defect S4: a folder with the name of a secret, or with a harmless name, hides no protected file", async () => {
    const { root, run } = await openProject();
    const names = [`.env${aside}`, ".env.local", `.git${aside}`];
    await run(names.map((name) => `mkdir -p ${name}/.git/hooks; echo x > ${name}/.envrc`).join("; "));
    const inside = [`.env${aside}`, `.env.local${aside}`, `.git${aside}`].map((name) => readdir(join(root, name)));
    expect(await Promise.all(inside)).toEqual(Array(3).fill([`.envrc${aside}`, `.git${aside}`]));
    expect((await run("true")).notes).toEqual([]);
  });

  it("defect S4: a bare repository is protected, and a new one is none afterwards", async () => {
    const { root, run, read } = await openProject();
    execFileSync("git", ["init", "-q", "--bare", join(root, "in/bare")]);
    const config = await read("in/bare/config");
    const lines = [
      "git -C in/bare config core.fsmonitor x",
      "echo x > in/bare/hooks/pre-push",
      "mv in/bare in/b",
      "mv in b",
    ];
    for (const line of lines) expect((await run(line)).code).not.toBe(0);
    expect(await read("in/bare/config")).toBe(config);
    expect((await run("git init -q --bare new")).notes).toEqual([expect.stringContaining("new/HEAD is protected")]);
    expect(await readdir(join(root, "new"))).toContain(`HEAD${aside}`);
    expect((await run("echo x > new/config && mv new newer")).code).toBe(0);
  });

  it("defect S4: a new protected file gets a harmless name in its place, and nothing is copied or lost", async () => {
    const { root, run, write, read } = await openProject();
    await write(`.envrc${aside}`, "older");
    const { notes } = await run(
      "echo x > .envrc; mkdir -p .vscode .git/hooks; echo y > .vscode/tasks.json; mkfifo .vscode/f .npmrc; truncate -s 400G .flaskenv; ln -s a.txt CLAUDE.md",
    );
    expect((await readdir(root)).sort()).toEqual(
      [`.envrc${aside}`, ".envrc.turnkit-set-aside-2", `.flaskenv${aside}`, `.git${aside}`, `.npmrc${aside}`]
        .concat([`.vscode${aside}`, `CLAUDE.md${aside}`])
        .sort(),
    );
    expect([await read(`.envrc${aside}`), await read(".envrc.turnkit-set-aside-2")]).toEqual(["older", "x\n"]);
    expect(await read(`.vscode${aside}/tasks.json`)).toBe("y\n");
    expect(notes).toHaveLength(6);
    await truncate(join(root, `.flaskenv${aside}`), 0);
    expect((await run("true")).notes).toEqual([]);
  });

  it("defect S4: only the new file of a protected folder that exists is renamed", async () => {
    const { root, run, write } = await openProject();
    await write("in/AGENTS.md", "mine");
    await run("mkdir in/.idea; echo x > in/.idea/x; chmod 555 in/.idea; chmod 555 in");
    expect((await readdir(join(root, "in"))).sort()).toEqual([`.idea${aside}`, "AGENTS.md"]);
    expect((await stat(join(root, "in"))).mode & 0o777).toBe(0o555);
    await chmod(join(root, "in"), 0o755);
    await chmod(join(root, `in/.idea${aside}`), 0o755);
  });

  it("defect S4: folders without rights hide no new protected file, and keep their rights", async () => {
    const { root, run, write } = await openProject();
    await write("src/a.txt", "work");
    await write("one/two/three", "");
    await run(
      "echo x > src/.envrc; chmod 000 src; echo x > one/two/.envrc; chmod 311 one/two; chmod 333 one; chmod 333 .",
    );
    const modes = await Promise.all(
      [".", "src", "one"].map(async (name) => (await stat(join(root, name))).mode & 0o777),
    );
    expect(modes).toEqual([0o333, 0, 0o333]);
    sh("chmod 755 . src one one/two", root);
    expect((await readdir(root)).sort()).toEqual(["one", "src"]);
    expect((await readdir(join(root, "src"))).sort()).toEqual([`.envrc${aside}`, "a.txt"]);
    expect((await readdir(join(root, "one/two"))).sort()).toEqual([`.envrc${aside}`, "three"]);
  });

  it("defect S4: names that are not UTF-8 hide no protected file", async () => {
    const { root, run } = await openProject();
    await run(`d=$(printf 'x\\377'); mkdir -p "$d/.vscode"; echo evil > "$d/.vscode/tasks.json"; echo e > "$d/.envrc"`);
    expect(sh("ls -A x*", root)).toBe(`.envrc${aside}\n.vscode${aside}\n`);
  });

  it("defect S21: a secret below a name that is not UTF-8 is not readable", async () => {
    const { root, run } = await openProject();
    sh(`d=$(printf 'y\\377'); mkdir "$d"; echo S3CRET > "$d/.env"`, root);
    await expect(run("cat y*/.env")).rejects.toThrow(/not UTF-8/);
  });

  it("defect S4: after an incomplete search, no command is sandboxed until a search is complete", async () => {
    const { root, run } = await openProject();
    const { notes } = await run(
      "mkdir .vscode; echo evil > .vscode/t; mkdir t; cd t; n=$(printf '%0200d' 0); i=0; while [ $i -lt 25 ]; do mkdir $n; cd $n; i=$((i+1)); done",
    );
    expect(await readdir(root)).toEqual([`.vscode${aside}`, "t"]);
    expect(notes.at(-1)).toMatch(/could not be searched.*no command of this session is sandboxed/s);
    await expect(run("true")).rejects.toMatchObject({ name: "SandboxError", asksEachTime: true });
    sh("rm -rf t", root);
    await writeFile(join(root, ".npmrc"), "new");
    expect((await run("true")).notes).toEqual([expect.stringContaining(".npmrc")]);
    expect((await run("true")).notes).toEqual([]);
  });

  it("defect S18: no answer for ever covers commands outside, if the first search is not complete", async () => {
    const { root, run } = await openProject();
    sh("n=$(printf '%0200d' 0); i=0; while [ $i -lt 25 ]; do mkdir $n; cd $n; i=$((i+1)); done", root);
    await expect(run("true")).rejects.toMatchObject({ name: "SandboxError", asksEachTime: true });
    sh("rm -rf 0*", root);
  });

  it("defect S4: more files than the search reads hide no protected file of the same level", async () => {
    const { root, write } = await openProject();
    for (let count = 0; count < 30; count += 1) await write(`a/${count}`);
    await write(".envrc");
    const { found, problems } = await createCoveredPathSearch(createPathCheck(), {}, 20)(root);
    expect([found.map(({ path }) => path), problems]).toEqual([
      [join(root, ".envrc")],
      [`${root} holds more than 20 files`],
    ]);
  });
});

describe.skipIf(missing !== undefined)(titled("a protected name that is a link, in bubblewrap"), () => {
  it("defect S4: the file and the folder that it leads to cannot be written", async () => {
    const { root, run, write, read } = await openProject();
    await write("docs.md");
    await write("deep/editor/tasks.json");
    await write("deep/editor/sub/.env", "S3CRET");
    await symlink("docs.md", join(root, "CLAUDE.md"));
    await mkdir(join(root, "in"));
    await symlink("../deep/editor", join(root, "in/.vscode"));
    await run(
      "echo evil >> CLAUDE.md; echo evil > docs.md; echo evil > in/.vscode/tasks.json; echo evil > deep/editor/sub/x; mv deep d; mv in i",
    );
    expect((await readdir(root)).sort()).toEqual(["CLAUDE.md", "deep", "docs.md", "in"]);
    expect([await read("docs.md"), await read("deep/editor/tasks.json")]).toEqual(["old", "old"]);
    expect(await readdir(join(root, "deep/editor/sub"))).toEqual([".env"]);
  });

  it("defect S21: the secret that it leads to cannot be read by any name", async () => {
    const { root, run, write } = await openProject();
    await write("conf/dev.txt", "S3CRET");
    await write("conf/more.txt", "S3CRET");
    await symlink("../first", join(root, "conf/chain"));
    await symlink("conf/more.txt", join(root, "first"));
    await symlink("conf/dev.txt", join(root, ".env"));
    await symlink("conf/chain", join(root, ".env.local"));
    const { out } = await run("cat .env .env.local first conf/*; mv conf c; cat c/*; grep -r S3CRET .");
    expect(out).not.toContain("S3CRET");
  });

  it("defect S4: a link that leads to another file after the command is renamed", async () => {
    const { root, run } = await openProject();
    await symlink("later.sh", join(root, ".envrc"));
    await mkdir(join(root, "real"));
    await writeFile(join(root, "real/x"), "");
    await symlink("real", join(root, "way"));
    await symlink("way/x", join(root, ".npmrc"));
    const { notes } = await run("echo evil > later.sh; mkdir other; echo evil > other/x; rm way; ln -s other way");
    expect((await readdir(root)).sort()).toEqual(
      [`.envrc${aside}`, `.npmrc${aside}`, "later.sh", "other", "real", "way"].sort(),
    );
    expect(notes.join()).toContain(".envrc");
  });

  it("defect S18: hides no program of the system, or no command would start", async () => {
    const { root, run } = await openProject();
    await symlink("/bin/sh", join(root, ".env"));
    expect(await run("echo works")).toMatchObject({ code: 0, out: "works\n" });
  });

  it("has no sandbox if it leads to the whole folder of the session", async () => {
    const { root, run } = await openProject();
    await symlink(".", join(root, ".aws"));
    await expect(run("true")).rejects.toThrow(/leads to a folder of the session/);
  });
});

describe.skipIf(missing !== undefined)(titled("what bubblewrap shows of other folders"), () => {
  it("defect S4: a folder with a secret inside a protected folder cannot be written", async () => {
    const { root, run, write } = await openProject();
    await write(".vscode/sub/.env");
    await run("echo evil > .vscode/sub/tasks.json; echo evil > .vscode/tasks.json");
    expect([await readdir(join(root, ".vscode")), await readdir(join(root, ".vscode/sub"))]).toEqual([
      ["sub"],
      [".env"],
    ]);
  });

  it("defect S21: secrets and sockets at any depth of the home folder's tools are hidden", async () => {
    const home = await createFolder();
    for (const name of ["bin/app/deep/.env", "bin/app/key.pem", ".nuget/NuGet/NuGet.Config", ".bundle/config"]) {
      await mkdir(join(home, name, ".."), { recursive: true });
      await writeFile(join(home, name), "S3CRET");
    }
    await mkdir(join(home, ".local/lib/x"), { recursive: true });
    const server = createServer((socket) => socket.end("S3CRET"));
    await new Promise<void>((resolve) => server.listen(join(home, ".local/lib/x/app.sock"), resolve));
    onTestFinished(() => void server.close());
    await writeFile(join(home, "bin/tool"), "fine");
    const { run } = await openProject({ env: { ...process.env, HOME: home } });
    const { out } = await run(
      `cd ${home}; cat bin/tool; grep -rs S3CRET .; node -e 'require("net").connect("${home}/.local/lib/x/app.sock").on("error", () => {}).pipe(process.stdout)'`,
    );
    expect(out).toBe("fine");
  });

  it("defect S21: a home folder inside a visible folder is empty, also by its real name", async () => {
    const outer = await createFolder();
    await mkdir(join(outer, "bin"));
    for (const name of ["me/.ssh/id_rsa", "me/other/x", "you/.ssh/id_rsa", "app/.env"]) {
      await mkdir(join(outer, name, ".."), { recursive: true });
      await writeFile(join(outer, name), "S3CRET");
    }
    const link = `${outer}-home`;
    await symlink(join(outer, "me"), link);
    onTestFinished(() => rm(link));
    for (const home of [join(outer, "me"), link]) {
      const env = { PATH: `${process.env.PATH}:${outer}/bin`, HOME: home };
      const { run } = await openProject({ env });
      const { out, code } = await run(`ls ${outer}; grep -rs S3CRET ${outer} ${home}/; true`);
      expect([code, out]).toEqual([0, expect.stringMatching(/^bin\n(?:me\n)?$/)]);
    }
    expect((await lstat(join(outer, "me/other/x"))).isFile()).toBe(true);
    expect(await readFile(join(outer, "app/.env"), "utf8")).toBe("S3CRET");
  });
});
