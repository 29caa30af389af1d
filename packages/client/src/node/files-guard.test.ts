import { rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RpcError, rpcErrorCode } from "@turnkit/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostSession } from "../host/hosted-session.js";
import { createLocalFileHost, type GuardedAccess } from "./files.js";

let root: string;
let session: HostSession;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-guard-")));
  await mkdir(join(root, "sub"));
  for (const name of ["ok", "secret"]) await writeFile(join(root, name), name);
  session = { sessionId: "s-1", cwd: root, roots: [root], signal: new AbortController().signal };
  lead("ok");
});
afterEach(() => rm(root, { recursive: true }));

/** Makes the link lead to a file. */
function lead(target: string): void {
  rmSync(join(root, "link"), { force: true });
  symlinkSync(target, join(root, "link"));
}

test("the guard gets each file by its real path, and refuses it by an error", async () => {
  const checked: GuardedAccess[] = [];
  const host = createLocalFileHost({
    guard: async (access) => {
      checked.push(access);
      if (access.real === join(root, "secret")) throw RpcError.invalidParams("not this one");
    },
  });
  const path = join(root, "link");
  expect(await host.readTextFile({ path }, session)).toBe("ok");
  await host.writeTextFile({ path, content: "new" }, session);
  await host.writeTextFile({ path: join(root, "sub/new"), content: "new" }, session);
  lead("secret");
  await expect(host.readTextFile({ path }, session)).rejects.toThrow("not this one");
  await expect(host.writeTextFile({ path, content: "new" }, session)).rejects.toThrow("not this one");
  await expect(host.readTextFile({ path: "/etc/hostname" }, session)).rejects.toMatchObject({
    code: rpcErrorCode.invalidParams,
  });
  expect(checked.map(({ operation, real }) => [operation, real.slice(root.length)])).toEqual([
    ["read", "/ok"],
    ["write", "/ok"],
    ["write", "/sub/new"],
    ["read", "/secret"],
    ["write", "/secret"],
  ]);
  expect(checked[0]).toMatchObject({ path, roots: [root] });
  expect(await readFile(join(root, "secret"), "utf8")).toBe("secret");
});

test("defect S100: a link that leads to another file after the check of the guard gives and changes nothing", async () => {
  const host = createLocalFileHost({ guard: () => lead("secret"), missingAsEmpty: true });
  for (const target of ["ok", "missing"]) {
    for (const access of [
      () => host.readTextFile({ path: join(root, "link") }, session),
      () => host.writeTextFile({ path: join(root, "link"), content: "new" }, session),
    ]) {
      lead(target);
      await expect(access()).rejects.toMatchObject({ code: rpcErrorCode.invalidParams });
    }
  }
  expect(await readFile(join(root, "secret"), "utf8")).toBe("secret");
});

test("the text of an open file is that of the checked path", async () => {
  const texts = new Map([[join(root, "secret"), "unsaved secret"]]);
  const replaced: string[] = [];
  const buffers = { read: (path: string) => texts.get(path), replace: (path: string) => replaced.push(path) };
  const host = createLocalFileHost({ guard: () => lead("secret"), buffers });
  await expect(host.readTextFile({ path: join(root, "link") }, session)).rejects.toThrow("was replaced");
  expect(replaced).toEqual([]);
});

test("defect R24: nothing is read or written if the session ends while the guard checks", async () => {
  const ended = new AbortController();
  const host = createLocalFileHost({
    guard: async () => ended.abort(),
    buffers: { read: () => "open", replace: () => undefined },
  });
  const path = join(root, "ok");
  const ending = { ...session, signal: ended.signal };
  await expect(host.writeTextFile({ path, content: "new" }, ending)).rejects.toMatchObject({
    code: rpcErrorCode.requestCancelled,
  });
  await expect(host.readTextFile({ path }, ending)).rejects.toMatchObject({ code: rpcErrorCode.requestCancelled });
  expect(await readFile(path, "utf8")).toBe("ok");
});

test.each(["guard", "audit"])(
  "defect R26: a read whose %s never settles ends with its session, so later reads get its place",
  async (name) => {
    const ended = new AbortController();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const host = createLocalFileHost({
      [name]: () => {
        begin();
        return new Promise<void>(() => undefined);
      },
    });
    const reading = host.readTextFile({ path: join(root, "ok") }, { ...session, signal: ended.signal });
    await begun;
    ended.abort();
    const outcome = await Promise.resolve(reading).catch((error: unknown) => error);
    if (name === "guard") expect(outcome).toMatchObject({ code: rpcErrorCode.requestCancelled });
    else expect(outcome).toBe("ok");
  },
  2000,
);
