import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { aside, missing, sandboxOptions, titled } from "../../test/sandbox.js";
import { createFolder } from "../../test/tool-context.js";
import { openSandbox, type SandboxOptions } from "./open-sandbox.js";

type Result = { readonly code: number | string; readonly out: string; readonly err: string };

function start(argv: readonly string[]): Promise<Result> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 20_000 }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
}

/** Opens a project with a sandbox around it. */
async function open(more: Partial<SandboxOptions> = {}, inner = "") {
  const root = await createFolder();
  onTestFinished(() => rm(aside, { recursive: true, force: true }));
  const cwd = join(root, inner);
  await mkdir(cwd, { recursive: true });
  const { sandbox } = await openSandbox(sandboxOptions([cwd], more));
  if (sandbox === undefined) throw new Error("There is no sandbox.");
  const write = async (name: string, text = "old") => {
    await mkdir(join(root, name, ".."), { recursive: true });
    await writeFile(join(root, name), text);
  };
  /** Runs a line of the shell in the sandbox, as `run_command` does. */
  const run = async (line: string, network = false): Promise<Result & { readonly notes: readonly string[] }> => {
    const { argv, finish } = await sandbox.wrap({ argv: ["/bin/sh", "-c", line], cwd, network });
    const result = await start(argv);
    return { ...result, notes: await finish() };
  };
  return { root, sandbox, run, write, read: (name: string) => readFile(join(root, name), "utf8") };
}

describe.skipIf(missing !== undefined)(titled("a command in bubblewrap"), () => {
  it("works in its folder, with the programs of the system", async () => {
    const { root, run, read } = await open();
    const { code, out } = await run(
      "pwd; node -p 1+1; echo text > a.txt; mkdir -p src && mv a.txt src/b.txt && sort src/b.txt",
    );
    expect([code, out, await read("src/b.txt")]).toEqual([0, `${root}\n2\ntext\n`, "text\n"]);
  });

  it("keeps its words, its exit code and its environment", async () => {
    const { root, sandbox } = await open();
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
    const { run, write, read, root } = await open();
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

  it("leaves no protected file behind that did not exist, and says where it is now", async () => {
    const { root, run } = await open();
    const { code, notes } = await run(
      "echo x > .envrc; mkdir -p .vscode in/.git/hooks new/.idea; echo x > .vscode/tasks.json; echo y > in/.git/hooks/pre-commit; ln -s ok.txt AGENTS.md; echo fine > ok.txt",
    );
    expect(code).toBe(0);
    expect((await readdir(root)).sort()).toEqual(["in", "new", "ok.txt"]);
    expect([await readdir(join(root, "in")), await readdir(join(root, "new"))]).toEqual([[], []]);
    expect(notes).toHaveLength(5);
    const [, place = ""] =
      /\.envrc, which is protected: it was moved to (.*)\.$/.exec(
        notes.find((note) => note.includes(".envrc")) ?? "",
      ) ?? [];
    expect(await readFile(place, "utf8")).toBe("x\n");
  });

  it("cannot change a protected name that is a link", async () => {
    const { root, run, write } = await open();
    await write("scripts/env", "old");
    await symlink("scripts/env", join(root, ".envrc"));
    const { notes } = await run("rm .envrc; echo evil > .envrc");
    expect(await readlink(join(root, ".envrc"))).toBe("scripts/env");
    expect(notes).toHaveLength(2);
    await run("ln -sf evil .envrc");
    expect(await readlink(join(root, ".envrc"))).toBe("scripts/env");
    await run("rm .envrc");
    expect(await readlink(join(root, ".envrc"))).toBe("scripts/env");
  });

  it("may use caches in node_modules, whose content is lost, and create nothing else there", async () => {
    const { run, write, root } = await open();
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
    const { root, run, write } = await open();
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
    const { run, write, read } = await open({}, "packages/a");
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
    const { run } = await open({ env: { ...process.env, HOME: home } });
    const { out } = await run(
      `cd ${home}; ls -A; ls other-project .ssh; cat .cargo/config.toml .cargo/credentials.toml .config/git/credentials; echo mine > new; echo no > .cargo/config.toml`,
    );
    expect(out).toBe(".cargo\n.config\nin .cargo/config.toml");
    expect((await readdir(home)).sort()).toEqual([".cargo", ".config", ".netrc", ".ssh", "other-project"]);
    expect(await readFile(join(home, ".cargo/config.toml"), "utf8")).toBe("in .cargo/config.toml");
  });

  it("has a network of its own, unless it is allowed", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { run, sandbox } = await open();
    const line = `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;
    expect((await run(line)).out).toBe("ECONNREFUSED\n");
    expect((await run(line, true)).out).toBe("reached");
    const { err } = await run(
      'getent hosts example.com || node -e \'require("dns").lookup("example.com", (e) => { throw e })\'',
    );
    expect(sandbox.explain(err)).toContain("network");
  });

  it("starts nothing if a folder was replaced while the sandbox was set up", async () => {
    const { root, sandbox, write } = await open();
    await write("sub/AGENTS.md");
    await write("other/AGENTS.md");
    const { argv } = await sandbox.wrap({ argv: ["touch", "ran"], cwd: root, network: false });
    await rm(join(root, "sub"), { recursive: true });
    await symlink("other", join(root, "sub"));
    const { code, err } = await start(argv);
    expect(code).not.toBe(0);
    expect([err, await readdir(root)]).toEqual([expect.stringMatching(/changed while|Can't/), ["other", "sub"]]);
  });

  it("is refused if there is no folder for files that are taken back", async () => {
    const root = await createFolder();
    await writeFile(join(root, "file"), "");
    const { sandbox } = await openSandbox(sandboxOptions([root], { asideFolder: join(root, "file/aside") }));
    const wrapping = sandbox?.wrap({ argv: ["ls"], cwd: root, network: false });
    await expect(wrapping).rejects.toThrow(/file\/aside cannot be created/);
  });

  it("does not exist for a folder of the system, or of another machine", async () => {
    for (const root of ["/", "/proc/self", "/no/such/folder"]) {
      expect(await openSandbox(sandboxOptions([root]))).toEqual({
        reason: expect.stringMatching(/folder of the system|not on this machine/),
      });
    }
  });
});
