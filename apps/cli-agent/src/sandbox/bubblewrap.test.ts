import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { missing, openProject, sandboxOptions, start, titled } from "../../test/sandbox.js";
import { createFolder } from "../../test/tool-context.js";
import { statePath } from "../config/folders.js";
import { openSandbox } from "./open-sandbox.js";

describe.skipIf(missing !== undefined)(titled("a command in bubblewrap"), () => {
  it("works in its folder, with the programs of the system", async () => {
    const { root, run, read } = await openProject();
    const { code, out } = await run(
      "pwd; node -p 1+1; echo text > a.txt; mkdir -p src && mv a.txt src/b.txt && sort src/b.txt",
    );
    expect([code, out, await read("src/b.txt")]).toEqual([0, `${root}\n2\ntext\n`, "text\n"]);
  });

  it("keeps its words, its exit code and its environment", async () => {
    const { root, sandbox } = await openProject();
    const words = ["a b", "", "'", "$HOME", "*", "--", "\\"];
    const { argv } = await sandbox.wrap({
      argv: ["node", "-p", "JSON.stringify(process.argv.slice(1))", "--", ...words],
      cwd: root,
      network: false,
    });
    expect(JSON.parse((await start(argv)).out)).toEqual(words);
    const failing = await sandbox.wrap({ argv: ["/bin/sh", "-c", "exit 7"], cwd: root, network: false });
    expect((await start(failing.argv)).code).toBe(7);
  });

  it("defect P42: has one /tmp for all commands of the session, which ends with the session", async () => {
    const root = await mkdtemp("/var/tmp/turnkit-agent-");
    onTestFinished(() => rm(root, { recursive: true }));
    // A folder of PATH inside of /tmp would be mounted there, as in a checkout in /tmp.
    const folders = (process.env.PATH ?? "").split(":").filter((folder) => !folder.startsWith("/tmp"));
    const env = { ...process.env, HOME: root, PATH: folders.join(":") };
    vi.stubEnv("XDG_STATE_HOME", await createFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const first = await openProject({ env }, { root });
    const other = await openProject({ env }, { root });
    expect(
      (await first.run("echo text > /tmp/a && mkdir /tmp/locked && touch /tmp/locked/b && chmod 500 /tmp/locked")).code,
    ).toBe(0);
    expect((await first.run("cat $TMPDIR/a")).out).toBe("text\n");
    expect((await other.run("ls -A /tmp")).out).toBe("");
    const left = async () => (await readdir(statePath("tmp"))).length;
    expect(await left()).toBe(2);
    await first.sandbox.close?.();
    await other.sandbox.close?.();
    expect(await left()).toBe(0);
  });

  it("defect P42: has a new /tmp for each command if the session's folder is in /tmp", async () => {
    const { run } = await openProject();
    expect((await run("echo text > /tmp/a && cat /tmp/a")).out).toBe("text\n");
    expect((await run("cat /tmp/a")).code).not.toBe(0);
  });

  it("reaches a root by a name that is a link, and a folder with an odd name", async () => {
    const root = await createFolder();
    const odd = join(root, 'it\'s $(odd) "and" long');
    await mkdir(odd);
    const named = `${root}-link`;
    await symlink(odd, named);
    onTestFinished(() => rm(named));
    const { sandbox } = await openSandbox(sandboxOptions([named]));
    const wrapped = await sandbox?.wrap({
      argv: ["/bin/sh", "-c", `echo x > ${named}/file; pwd`],
      cwd: named,
      network: false,
    });
    expect((await start(wrapped?.argv ?? [])).out).toBe(`${odd}\n`);
    expect(await readFile(join(odd, "file"), "utf8")).toBe("x\n");
  });

  it("cannot write, rename or remove protected files that exist", async () => {
    const { run, write, read, root } = await openProject();
    for (const name of [
      ".git/config",
      ".git/hooks/x",
      "AGENTS.md",
      "sub/.vscode/tasks.json",
      "sub/node_modules/a/i.js",
    ])
      await write(name);
    for (const line of [
      "echo new > .git/config",
      "echo new > .git/hooks/new",
      "echo new > AGENTS.md",
      "rm AGENTS.md",
      "mv AGENTS.md other.md",
      "mv sub other",
      "rm -r sub",
      "echo new > sub/node_modules/a/i.js",
      "chmod 777 .git/config",
      "ln .git/config copy",
    ]) {
      expect([line, (await run(line)).code]).not.toEqual([line, 0]);
    }
    expect((await readdir(root)).sort()).toEqual([".git", "AGENTS.md", "sub"]);
    expect(await read("AGENTS.md")).toBe("old");
    expect(await read("sub/.vscode/tasks.json")).toBe("old");
  });

  it("cannot write what a protected link leads to, and a replaced link is reported", async () => {
    const { root, run, write, read } = await openProject();
    await write("scripts/env", "old");
    await symlink("scripts/env", join(root, ".envrc"));
    const { notes } = await run("echo evil > scripts/env; rm .envrc; echo evil > .envrc");
    expect(notes).toEqual([
      expect.stringMatching(/\.envrc is protected, .* now \.envrc\.turnkit-set-aside-1/),
      expect.stringMatching(/link .*\.envrc to scripts\/env was removed or replaced/),
    ]);
    expect([await read("scripts/env"), (await readdir(root)).sort()]).toEqual([
      "old",
      [".envrc", ".envrc.turnkit-set-aside-1", "scripts"],
    ]);
  });

  it("may use caches in node_modules, whose content is lost, and create nothing else there", async () => {
    const { run, write, root } = await openProject();
    await write("node_modules/vite/index.js");
    await write("node_modules/.cache/old", "kept");
    const { code } = await run(
      "echo 1 > node_modules/.vite-temp/x && echo 1 > node_modules/.cache/x && cat node_modules/vite/index.js",
    );
    expect(code).toBe(0);
    expect((await run("echo 1 > node_modules/.bin; mkdir node_modules/new")).code).not.toBe(0);
    expect([
      await readdir(join(root, "node_modules/.vite-temp")),
      await readdir(join(root, "node_modules/.cache")),
    ]).toEqual([[], ["old"]]);
  });

  it("cannot read secrets of the project, at any depth and by any name", async () => {
    const { root, run, write } = await openProject();
    for (const name of [".env", "deep/er/.env.local", "keys/server.key", ".aws/credentials", "node_modules/.env"])
      await write(name, "S3CRET");
    await symlink("deep/er/.env.local", join(root, "plain.txt"));
    await write(".env.example", "example");
    const { out, err } = await run(
      "cat .env deep/er/.env.local keys/server.key plain.txt .aws/credentials node_modules/.env; ls .aws; grep -r S3CRET .; cat .env.example; chmod -R 777 .; cat .env; cp .env x; cat x; dd if=.env",
    );
    expect(out).not.toContain("S3CRET");
    expect(out).toContain("example");
    expect(err).toContain("Permission denied");
  });

  it("sees the rest of its repository, but writes only to its roots", async () => {
    const { run, write, read } = await openProject({}, { inner: "packages/a" });
    await write("package.json", "whole");
    await write(".git/HEAD", "ref");
    await write(".env", "S3CRET");
    await write("packages/a/in", "x");
    const { out } = await run(
      "cat ../../package.json ../../.git/HEAD; cat ../../.env; echo new > ../../package.json; ls /root/* /home/*; echo y > in",
    );
    expect(out).toBe("wholeref");
    expect([await read("package.json"), await read("packages/a/in")]).toEqual(["whole", "y\n"]);
  });

  it("has an empty home folder but for tools, whose secrets are hidden", async () => {
    const home = await createFolder();
    for (const name of [".cargo", ".ssh", "other-project", ".config/gh", ".config/git"])
      await mkdir(join(home, name), { recursive: true });
    for (const name of [
      ".cargo/config.toml",
      ".cargo/credentials.toml",
      ".ssh/id_rsa",
      "other-project/a",
      ".config/gh/hosts.yml",
      ".config/git/config",
      ".config/git/credentials",
      ".netrc",
    ]) {
      await writeFile(join(home, name), `in ${name}`);
    }
    const { run } = await openProject({ env: { ...process.env, HOME: home } });
    const { out } = await run(
      `cd ${home}; ls -A; ls other-project .ssh; cat .cargo/config.toml .cargo/credentials.toml .config/git/credentials; echo mine > new; echo no > .cargo/config.toml`,
    );
    expect(out).toBe(".cargo\n.config\nin .cargo/config.toml");
    expect((await readdir(home)).sort()).toEqual([".cargo", ".config", ".netrc", ".ssh", "other-project"]);
    expect(await readFile(join(home, ".cargo/config.toml"), "utf8")).toBe("in .cargo/config.toml");
  });

  it("defect S21: sees Git's settings of the user, unless they hold a token", async () => {
    const line = "cat ~/.gitconfig ~/.config/git/config; git config user.name";
    const name = "[user]\n\tname = Somebody\n";
    const token = `[url "https://me:hunter2Zq9x@example.com/"]\n\tinsteadOf = https://example.com/\n`;
    const header = `[http]\n\textraHeader = Authorization: Basic bWU6aHVudGVyMlpxOXg=\n`;
    for (const [plain, more] of [
      [name, ""],
      [name + token, header],
    ]) {
      const home = await createFolder();
      await mkdir(join(home, ".config/git"), { recursive: true });
      await writeFile(join(home, ".gitconfig"), plain as string);
      await writeFile(join(home, ".config/git/config"), `${more}`);
      const { run } = await openProject({ env: { ...process.env, HOME: home } });
      const { out } = await run(`HOME=${home}; export HOME; ${line}`);
      expect(out).toBe(more === "" ? `${name}Somebody\n` : "");
    }
  });

  it("defect S21: sees no tokens of tools, and no private file of the system", async () => {
    const home = await createFolder();
    const { run } = await openProject({ env: { ...process.env, HOME: home } });
    const files = [
      ".cabal/config",
      ".luarocks/upload_config.lua",
      ".julia/servers/a/auth.toml",
      ".composer/config.json",
    ]
      .concat([".npm/_logs/a.log", ".sbt/1.0/credentials.sbt", ".swiftpm/configuration/registries.json"])
      .concat([".gradle/init.gradle"]);
    for (const name of files) {
      await mkdir(join(home, name, ".."), { recursive: true });
      await writeFile(join(home, name), "password = 'hunter2-Horse'\n");
    }
    expect((await run(`cd ~ && cat ${files.join(" ")}`)).out).toBe("");
    expect((await run("find /etc -type f ! -perm -o+r -exec cat {} +")).out).toBe("");
  });

  it("has a network of its own, unless it is allowed", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { run, sandbox } = await openProject();
    const line = `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;
    expect((await run(line)).out).toBe("ECONNREFUSED\n");
    expect((await run(line, true)).out).toBe("reached");
    const { err } = await run(
      'getent hosts example.com || node -e \'require("dns").lookup("example.com", (e) => { throw e })\'',
    );
    expect(sandbox.explain(err)).toContain("network");
  });

  it("starts nothing if a folder was replaced while the sandbox was set up", async () => {
    const { root, sandbox, write } = await openProject();
    await write("sub/AGENTS.md");
    await write("other/AGENTS.md");
    const { argv } = await sandbox.wrap({ argv: ["touch", "ran"], cwd: root, network: false });
    await rm(join(root, "sub"), { recursive: true });
    await symlink("other", join(root, "sub"));
    const { code, err } = await start(argv);
    expect(code).not.toBe(0);
    expect([err, await readdir(root)]).toEqual([expect.stringMatching(/changed while|Can't/), ["other", "sub"]]);
  });

  it("does not exist for a folder of the system, or of another machine", async () => {
    for (const root of ["/", "/proc/self", "/no/such/folder"]) {
      expect(await openSandbox(sandboxOptions([root]))).toEqual({
        reason: expect.stringMatching(/folder of the system|not on this machine/),
      });
    }
  });

  it("cannot remove or add a plan, if its folder is the home folder and the agent's state is new", async () => {
    const root = await createFolder();
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = join(root, "state");
    onTestFinished(() => {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    });
    const paths = { protected: [`${join(root, "state/turnkit/agent")}/**`] };
    const { sandbox } = await openSandbox(sandboxOptions([root], { paths }));
    const line =
      "rm -rf state; mv state gone; cd state/turnkit/agent && (echo [] > trust.json; cd plans && echo {} > a.json; ls)";
    const command = { argv: ["/bin/sh", "-c", line] as const, cwd: root, network: false };
    const { argv, finish } = (await sandbox?.wrap(command)) ?? { argv: [], finish: async () => [] };
    const { out } = await start(argv);
    expect(out).toMatch(/^[^\n]+-[0-9a-f]{12}\.json\n$/);
    expect(await finish()).toEqual([]);
    expect(await readdir(join(root, "state/turnkit/agent"))).toEqual(["plans"]);
  });

  it("sees no settings with tokens, also if their name is a link", async () => {
    const home = await createFolder();
    const token = "[http]\n  extraheader = Authorization: Bearer hunter2-Horse-9\n";
    for (const [name, text] of [
      ["bin/gitconfig", token],
      [".config/git/config.own", token],
      [".cargo/own", token],
      ["bin/tool", "harmless"],
    ] as const) {
      await mkdir(join(home, name, ".."), { recursive: true });
      await writeFile(join(home, name), text);
    }
    await symlink("bin/gitconfig", join(home, ".gitconfig"));
    await symlink("config.own", join(home, ".config/git/config"));
    await symlink("own", join(home, ".cargo/config.toml"));
    const named = `${home}-link`;
    await symlink(home, named);
    onTestFinished(() => rm(named));
    for (const HOME of [home, named]) {
      const { run } = await openProject({ env: { ...process.env, HOME } });
      const { out } = await run(`cd ${HOME}; cat bin/* .config/git/* .cargo/* .gitconfig; ls bin`);
      expect(out).toBe("harmlessgitconfig\ntool\n");
    }
  });
});
