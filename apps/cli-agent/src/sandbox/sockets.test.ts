import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { missing, openProject, titled } from "../../test/sandbox.js";
import { createFolder } from "../../test/tool-context.js";
import { createSocketSearch, socketsShown } from "./sockets.js";

/** Creates a server that answers each connection with `reached`. */
async function listen(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const server = createServer((socket) => socket.end("reached"));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

/** Creates a socket whose path the kernel knows only relative to the folder. */
async function bindRelative(folder: string, name: string): Promise<void> {
  await mkdir(join(folder, dirname(name)), { recursive: true });
  const script = `require("net").createServer((s) => s.end("reached")).listen(${JSON.stringify(name)}, () => console.log())`;
  const child = execFile(process.execPath, ["-e", script], { cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout?.once("data", resolve));
}

const connecting = (path: string): string =>
  `node -e 'require("net").connect("${path}").on("error", () => {}).pipe(process.stdout)'`;

const deep = [".git/modules/sub/s", "node_modules/p/d/s", ".venv/x/y/s", ".yarn/a/b/s", "plain/d/s"];

describe.skipIf(missing !== undefined)(titled("sockets of other programs, in bubblewrap"), () => {
  it.each(deep)("defect S53: %s cannot be used, also if it is created between two commands", async (name) => {
    const { root, run } = await openProject();
    expect((await run("true")).code).toBe(0);
    await listen(join(root, name));
    expect(await run(`${connecting(name)}; echo works > a.txt; cat a.txt`)).toMatchObject({ code: 0, out: "works\n" });
  });

  it.each(deep)("defect S53: %s cannot be used if the kernel does not know its folder", async (name) => {
    const { root, run } = await openProject();
    await bindRelative(root, name);
    expect((await run(connecting(name))).out).toBe("");
  });

  it("defect S53: cannot be used in the repository around the root, and in packages of tools", async () => {
    const home = await createFolder();
    const { root, run } = await openProject({ env: { ...process.env, HOME: home } }, { inner: "packages/a" });
    await mkdir(join(root, ".git"));
    const paths = [join(root, "node_modules/p/d/s"), join(home, ".cargo/registry/a/b/s")];
    for (const path of paths) await listen(path);
    expect((await run(`ls ${paths.map(dirname).join(" ")} | grep -c s$; ${paths.map(connecting).join(";")}`)).out).toBe(
      "2\n",
    );
  });

  it("do not keep caches of node_modules from being empty and writable", async () => {
    const { root, run } = await openProject();
    await listen(join(root, "node_modules/.cache/tool/s"));
    expect(await run("ls -A node_modules/.cache; echo x > node_modules/.cache/x")).toMatchObject({ code: 0, out: "" });
  });
});

describe.skipIf(process.platform === "win32")("the search for sockets", () => {
  it("reads a folder once, forgets sockets that are gone, and follows no link", async () => {
    const [root, other] = [await createFolder(), await createFolder()];
    const path = await listen(join(root, "a/b/s"));
    await listen(join(other, "s"));
    await symlink(other, join(root, "link"));
    const sockets = createSocketSearch({ table: "/no/table" });
    expect(await sockets.in(root)).toEqual([path]);
    await listen(join(root, "late"));
    expect(await sockets.in(root)).toEqual([path]);
    await rm(path);
    expect(await sockets.in(root)).toEqual([]);
    expect(await sockets.known()).toEqual([]);
  });

  it("ends at its bound, after the levels before it", async () => {
    const root = await createFolder();
    const paths = [await listen(join(root, "s")), await listen(join(root, "a/s"))];
    for (let count = 0; count < 10; count += 1) await writeFile(join(root, "a", `${count}`), "");
    await listen(join(root, "a/b/s"));
    const found = await createSocketSearch({ maxEntries: 10, table: "" }).in(root);
    expect([...found].sort()).toEqual(paths.sort());
  });

  it("reads the table of the kernel, in which lines may be malformed", async () => {
    const root = await createFolder();
    const path = await listen(join(root, "a b"));
    const table = join(root, "table");
    const line = (name: string) => `000000001b97ec79: 00000003 00000000 00010000 0001 01   649 ${name}\n`;
    const names = [path, path, "@abstract", "relative", "/no/such/socket", table];
    await writeFile(table, `Num RefCount Path\n${names.map(line).join("")}nonsense\n${line("").trimEnd()}`);
    expect(await createSocketSearch({ table }).known()).toEqual([path]);
  });

  it("finds the name under which a command sees a socket, and refuses too many", async () => {
    const [real, named] = [await createFolder(), join(await createFolder(), "named")];
    await symlink(real, named);
    const readables = [{ kind: "folder", path: named }] as const;
    expect(await socketsShown([join(real, "a/s"), "/other/s"], readables)).toEqual([join(named, "a/s")]);
    const many = Array.from({ length: 201 }, (_, count) => join(real, `${count}`));
    await expect(socketsShown(many, readables)).rejects.toThrow("more than 200 sockets");
  });
});
