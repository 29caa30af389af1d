import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RpcError } from "@turnkit/agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspace } from "./workspace.js";

const signal = new AbortController().signal;
let base: string;
let cwd: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "workspace-")));
  cwd = join(base, "project");
  await mkdir(cwd);
  await writeFile(join(base, "secret.ts"), "secret");
});

afterEach(() => rm(base, { recursive: true }));

const open = (client = {}) => createWorkspace({ cwd, roots: [cwd] }, client);
const refusal = (code: string) => expect.objectContaining({ name: "ToolError", code });

describe("files on the disk", () => {
  it("are read and written as they are, byte order mark and line ends included", async () => {
    const text = "\uFEFFa\r\nß😀";
    await open().write("a.ts", text, signal);
    expect(await readFile(join(cwd, "a.ts"), "utf8")).toBe(text);
    expect(await open().read("a.ts", signal)).toBe(text);
  });

  it("keep their permissions, and no draft stays behind", async () => {
    await writeFile(join(cwd, "run.js"), "old");
    await chmod(join(cwd, "run.js"), 0o755);
    await open().write("run.js", "new", signal);
    expect((await stat(join(cwd, "run.js"))).mode & 0o777).toBe(0o755);
    expect(await readdir(cwd)).toEqual(["run.js"]);
  });

  it("are written behind links inside the folder, which stay links", async () => {
    await writeFile(join(cwd, "real.ts"), "old");
    await symlink("real.ts", join(cwd, "link.ts"));
    await open().write("link.ts", "new", signal);
    expect(await readFile(join(cwd, "real.ts"), "utf8")).toBe("new");
    expect(await open().read("link.ts", signal)).toBe("new");
  });

  it("are named from the session's folder", () => {
    expect(open().locate(join(cwd, "src/a.ts")).name).toBe(join("src", "a.ts"));
  });
});

describe("files that are refused", () => {
  it.each(["../secret.ts", "/etc/passwd", "x/../../secret.ts", "../project-two/a.ts"])("outside: %s", async (path) => {
    await expect(open().read(path, signal)).rejects.toEqual(refusal("outside"));
    await expect(open().write(path, "x", signal)).rejects.toEqual(refusal("outside"));
  });

  it("behind a link that leads outside, also through the client", async () => {
    await symlink(join(base, "secret.ts"), join(cwd, "link.ts"));
    await symlink(base, join(cwd, "up"));
    const client = { read: async () => "secret", write: async () => {} };
    for (const workspace of [open(), open(client)]) {
      await expect(workspace.read("link.ts", signal)).rejects.toEqual(refusal("outside"));
      await expect(workspace.read("up/secret.ts", signal)).rejects.toEqual(refusal("outside"));
      await expect(workspace.write("up/new.ts", "x", signal)).rejects.toEqual(refusal("outside"));
    }
  });

  it("that do not exist", async () => {
    await expect(open().read("nothing.ts", signal)).rejects.toEqual(refusal("not_found"));
  });

  it("that are folders, with a hint at what is in them", async () => {
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "src/b.ts"), "");
    await writeFile(join(cwd, "src/a.js"), "");
    await writeFile(join(cwd, "src/notes.md"), "");
    await expect(open().read("src", signal)).rejects.toThrow("`src` is a folder. It holds a.js, b.ts.");
  });

  it("that are binary: zero bytes, or no UTF-8", async () => {
    await writeFile(join(cwd, "a.ts"), Buffer.from([0x61, 0x00, 0x62]));
    await writeFile(join(cwd, "b.ts"), Buffer.from([0x61, 0xff, 0xfe]));
    await expect(open().read("a.ts", signal)).rejects.toEqual(refusal("binary"));
    await expect(open().read("b.ts", signal)).rejects.toEqual(refusal("binary"));
  });

  it("that are too large, without reading them", async () => {
    await writeFile(join(cwd, "big.ts"), "x".repeat(5 * 1024 * 1024));
    const client = { read: () => Promise.reject(new Error("was asked")) };
    await expect(open(client).read("big.ts", signal)).rejects.toThrow(
      "`big.ts` has 5.0 MB; files up to 1 MB are read.",
    );
  });
});

describe("files of the client", () => {
  it("are read and written there, so that unsaved changes count", async () => {
    await writeFile(join(cwd, "a.ts"), "on the disk");
    const written: string[] = [];
    const workspace = open({
      read: async () => "in the editor",
      write: async (path: string, text: string) => void written.push(path, text),
    });
    expect(await workspace.read("a.ts", signal)).toBe("in the editor");
    await workspace.write("a.ts", "new", signal);
    expect(written).toEqual([join(cwd, "a.ts"), "new"]);
    expect(await readFile(join(cwd, "a.ts"), "utf8")).toBe("on the disk");
  });

  it("are written to the disk if the client only reads", async () => {
    await open({ read: async () => "x" }).write("a.ts", "new", signal);
    expect(await readFile(join(cwd, "a.ts"), "utf8")).toBe("new");
  });

  it("may be on a machine that the agent does not see", async () => {
    const workspace = createWorkspace(
      { cwd: "/nowhere/at/all", roots: ["/nowhere/at/all"] },
      { read: async () => "x" },
    );
    expect(await workspace.read("src/a.ts", signal)).toBe("x");
    await expect(workspace.read("../a.ts", signal)).rejects.toEqual(refusal("outside"));
  });

  it("that the client does not have are missing; other failures are told", async () => {
    const missing = { read: () => Promise.reject(RpcError.resourceNotFound()) };
    await expect(open(missing).read("a.ts", signal)).rejects.toEqual(refusal("not_found"));
    const broken = { read: () => Promise.reject(new Error("the tab is locked")) };
    await expect(open(broken).read("a.ts", signal)).rejects.toThrow(/the tab is locked/);
  });

  it("that turn out too large or binary are refused", async () => {
    const big = { read: async () => "x".repeat(2 * 1024 * 1024) };
    await expect(open(big).read("a.ts", signal)).rejects.toEqual(refusal("too_large"));
    await expect(open({ read: async () => "a\0b" }).read("a.ts", signal)).rejects.toEqual(refusal("binary"));
  });
});
