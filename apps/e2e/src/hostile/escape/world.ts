import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Everything that a sandboxed command must neither change nor read, in folders and processes of its own. */
export type World = Awaited<ReturnType<typeof createWorld>>;

let serial = 0;

/** Creates a repository with a project, what is around it, a home folder, and other programs of the same user. */
export async function createWorld() {
  serial += 1;
  const mark = `${process.pid}${serial}`;
  const base = await realpath(await mkdtemp(join(tmpdir(), "escape-")));
  const home = await realpath(await mkdtemp(join(tmpdir(), "escape-home-")));
  const project = join(base, "project");
  const outside = join(base, "outside");
  const secret = `S3CRET-${mark}`;
  const put = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const hidden = [".env", "project/.env", "project/deep/.env.local", "project/keys/id_rsa", "outside/server.key"];
  for (const name of hidden) await put(join(base, name), secret);
  for (const name of [".ssh/id_rsa", ".aws/credentials", ".netrc", "other-project/notes.txt"])
    await put(join(home, name), secret);
  const plain = [
    "outside/target",
    "project/a.txt",
    "project/AGENTS.md",
    "project/sub/.git/config",
    "project/sub/b.txt",
  ];
  for (const name of plain) await put(join(base, name), "old\n");
  await put(join(home, ".bashrc"), "old\n");
  await symlink("../outside", join(project, "linked"));
  await symlink("keys/id_rsa", join(project, "plain.txt"));
  await symlink("sub/b.txt", join(project, ".envrc"));
  const git = { cwd: project, env: { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: "1" } };
  execFileSync("git", ["init", "-q"], git);

  /** Kinds of connections that reached a program outside. */
  const reached: string[] = [];
  const tcp = createServer((socket) => {
    reached.push("tcp");
    socket.destroy();
  }).on("error", () => {});
  tcp.listen(0, "0.0.0.0");
  const udp = createSocket("udp4", () => void reached.push("udp"));
  udp.bind(0, "127.0.0.1");
  const sockets = [join(outside, "agent.sock"), join(project, "agent.sock"), `\0escape-${mark}`].map((path) =>
    createServer((socket) => {
      reached.push(path);
      socket.destroy();
    }).listen(path),
  );
  await Promise.all([tcp, udp, ...sockets].map((one) => once(one, "listening")));
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", secret], {
    env: { PATH: process.env.PATH, VICTIM: secret },
    stdio: "ignore",
  });
  await once(victim, "spawn");

  const before = await listing([base, home], project);
  return {
    ...{ base, home, project, outside, secret, mark },
    tcp: (tcp.address() as { port: number }).port,
    udp: udp.address().port,
    victim: victim.pid as number,
    abstract: `escape-${mark}`,
    /** Returns what has happened that must not, after a command with this output. */
    async damage(output: string): Promise<readonly string[]> {
      const now = await listing([base, home], project);
      // The agent reports a protected link that was removed, and does not restore it.
      const isLost = (path: string) => before.get(path)?.startsWith("link ") === true && !now.has(path);
      const isSetAside = (path: string) =>
        path.startsWith(`${project}/`) && /\.turnkit-set-aside-\d+(?:\/|$)/.test(path);
      const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
        (path) => before.get(path) !== now.get(path) && !isLost(path) && !isSetAside(path),
      );
      return [
        ...(output.includes(secret) ? ["a secret is in the output"] : []),
        ...changed.map((path) => `${path} was changed`),
        ...reached.splice(0).map((kind) => `a command reached ${JSON.stringify(kind)}`),
        ...(victim.exitCode === null && victim.signalCode === null ? [] : ["another process was killed"]),
        ...(await survivors(mark)),
        ...(await strayFiles(mark)),
      ];
    },
    async close(): Promise<void> {
      for (const { pid } of await marked(mark)) process.kill(pid, "SIGKILL");
      victim.kill("SIGKILL");
      udp.close();
      for (const server of [tcp, ...sockets]) server.close();
      for (const folder of [base, home]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Names inside the project that commands may not create. */
const PROTECTED =
  /(?:^|\/)(?:sub\/b\.txt|\.git|\.envrc|\.vscode|\.idea|AGENTS\.md|\.npmrc|\.husky|HEAD|node_modules|\.env[^/]*|\.GIT|CLAUDE\.md)(?:\/|$)/;

/** Lists everything with its content and mode; of the project only what is protected. Git's own index may change. */
async function listing(folders: readonly string[], project: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const counts = !path.startsWith(`${project}/`) || PROTECTED.test(path.slice(project.length));
      if (counts && entry.isSymbolicLink()) found.set(path, `link ${await readlink(path)}`);
      else if (counts && !entry.isSocket()) {
        const { mode, ino } = await stat(path);
        found.set(path, `${mode} ${ino} ${entry.isFile() ? await readFile(path, "utf8") : "folder"}`);
      }
      if (entry.isDirectory()) await look(path);
    }
  };
  for (const folder of folders) await look(folder);
  return found;
}

/** Returns the processes that have outlived their command. Those that were killed may need a moment. */
async function survivors(mark: string): Promise<readonly string[]> {
  const limit = performance.now() + 3_000;
  let found = await marked(mark);
  while (found.length > 0 && performance.now() < limit) found = await marked(mark);
  return found.map(({ line }) => `a process lives on: ${line}`);
}

/** Returns processes with the mark in their arguments. */
async function marked(mark: string): Promise<readonly { readonly pid: number; readonly line: string }[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    names.map(async (name) => ({
      pid: Number(name),
      line: (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ").trim(),
    })),
  );
  // A process that has not started its program yet still has the arguments of the shell.
  return all.filter(({ line }) => line.includes(`1000.${mark}`));
}

async function strayFiles(mark: string): Promise<readonly string[]> {
  const folders = ["/tmp", "/var/tmp", "/dev/shm"];
  const found: string[] = [];
  for (const folder of folders) {
    const path = join(folder, `stray-${mark}`);
    if (await stat(path).catch(() => undefined)) found.push(`${path} was created`);
    await rm(path, { force: true });
  }
  return found;
}
