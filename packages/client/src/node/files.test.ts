import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRpcError, rpcErrorCode } from "@turnkit/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HostSession } from "../host/hosted-session.js";
import { createLocalFileHost } from "./files.js";

let base: string;
let root: string;
let session: HostSession;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "turnkit-")));
  root = join(base, "root");
  await mkdir(root);
  await writeFile(join(base, "secret"), "secret");
  session = { sessionId: "s", cwd: root, roots: [root], signal: new AbortController().signal };
});
afterAll(() => rm(base, { recursive: true }));

const host = createLocalFileHost();
const place = (name: string) => join(root, name);

async function stored(content: string | Uint8Array): Promise<string> {
  await writeFile(place("stored"), content);
  return place("stored");
}

async function failure(promise: unknown): Promise<{ code: number; text: string }> {
  const error = await Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isRpcError(error)) throw new Error(`no RpcError: ${String(error)}`);
  return { code: error.code, text: `${error.message} ${JSON.stringify(error.data)}` };
}

describe("reading lines", () => {
  const text = "\ufeffone\r\ntwo\n\nfour\rstill four\nlast";
  const lines = ["\ufeffone\r\n", "two\n", "\n", "four\rstill four\n", "last"];

  test("everything comes as it is (V1-FS-04)", async () => {
    expect(await host.readTextFile({ path: await stored(text) }, session)).toBe(text);
    expect(await host.readTextFile({ path: await stored(""), line: null, limit: null }, session)).toBe("");
  });

  test("a part comes with its own line ends, whatever is asked: V1-FS-04", async () => {
    const path = await stored(text);
    for (let line = 0; line < 8; line++) {
      for (const limit of [0, 1, 2, 4, 5, 100, null]) {
        const first = Math.max(0, line - 1);
        const expected = lines.slice(first, limit === null ? undefined : first + limit).join("");
        expect(await host.readTextFile({ path, line, limit }, session)).toBe(expected);
      }
    }
    expect(await host.readTextFile({ path, limit: 2 }, session)).toBe("\ufeffone\r\ntwo\n");
    expect(await host.readTextFile({ path, line: 4_294_967_295 }, session)).toBe("");
  });

  test("lines and characters across the borders of reads come out whole", async () => {
    const long = Array.from({ length: 3000 }, (_, i) => `${i} ${"ä€🚀".repeat(i % 40)}\n`);
    const path = await stored(long.join(""));
    expect(await host.readTextFile({ path }, session)).toBe(long.join(""));
    for (const line of [1, 2, 500, 1234, 2999, 3000]) {
      expect(await host.readTextFile({ path, line, limit: 700 }, session)).toBe(
        long.slice(line - 1, line + 699).join(""),
      );
    }
  });

  test("the limit counts what is answered, so that a part of a large file can be read", async () => {
    const small = createLocalFileHost({ maxBytes: 1000 });
    const path = await stored("0123456789\n".repeat(100_000));
    expect(await small.readTextFile({ path, line: 90_000, limit: 90 }, session)).toHaveLength(990);
    expect(await failure(small.readTextFile({ path }, session))).toMatchObject({
      code: rpcErrorCode.internalError,
      text: expect.stringContaining("more than 1000 bytes"),
    });
    expect((await failure(small.readTextFile({ path, line: 5 }, session))).code).toBe(rpcErrorCode.internalError);
    expect(await small.readTextFile({ path: await stored("x".repeat(1000)) }, session)).toHaveLength(1000);
  });
});

describe("reading refuses", () => {
  test.each([
    ["broken UTF-8", Buffer.from([0x61, 0xff, 0x62]), /not UTF-8/],
    ["a character cut at the end", Buffer.from("€").subarray(0, 2), /not UTF-8/],
    ["Latin-1", Buffer.from("Zwölf", "latin1"), /not UTF-8/],
    ["UTF-16", Buffer.from("text", "utf16le"), /binary/],
    ["NULs", Buffer.from("a\0b"), /binary/],
  ])("%s (V1-FS-09)", async (_, bytes, message) => {
    const { code, text } = await failure(host.readTextFile({ path: await stored(bytes) }, session));
    expect(code).toBe(rpcErrorCode.internalError);
    expect(text).toMatch(message);
  });

  test("what leads outside, what is missing and what is no file, each in its own way (V1-FS-08, V1-SESS-12)", async () => {
    await symlink(join(base, "secret"), place("link"));
    execFileSync("mkfifo", [place("fifo")]);
    const code = async (path: string) => (await failure(host.readTextFile({ path }, session))).code;
    expect(await code(join(base, "secret"))).toBe(rpcErrorCode.invalidParams);
    expect(await code(`${root}/../secret`)).toBe(rpcErrorCode.invalidParams);
    expect(await code(place("link"))).toBe(rpcErrorCode.invalidParams);
    expect(await code("stored")).toBe(rpcErrorCode.invalidParams);
    expect(await code(place("missing"))).toBe(rpcErrorCode.resourceNotFound);
    expect(await code(place("fifo"))).toBe(rpcErrorCode.internalError);
    expect(await code(root)).toBe(rpcErrorCode.internalError);
  });

  test("everything where it cannot tell what is inside (V1-SESS-12)", async () => {
    await symlink(place("round"), place("circle"));
    await symlink(place("circle"), place("round"));
    const path = await stored("x");
    const rootless = { ...session, roots: [join(base, "no such root")] };
    expect((await failure(host.readTextFile({ path }, rootless))).code).toBe(rpcErrorCode.invalidParams);
    expect((await failure(host.writeTextFile({ path, content: "" }, rootless))).code).toBe(rpcErrorCode.invalidParams);
    expect((await failure(host.readTextFile({ path: place("circle") }, session))).code).toBe(
      rpcErrorCode.internalError,
    );
    expect(await readFile(path, "utf8")).toBe("x");
  });

  test("what is asked for nothing: no lines of a missing file is still not found", async () => {
    const { code } = await failure(host.readTextFile({ path: place("missing"), limit: 0 }, session));
    expect(code).toBe(rpcErrorCode.resourceNotFound);
  });

  test("a request that was withdrawn", async () => {
    const withdrawn = { ...session, signal: AbortSignal.abort() };
    expect((await failure(host.readTextFile({ path: await stored("x") }, withdrawn))).code).toBe(
      rpcErrorCode.requestCancelled,
    );
  });
});

test("a missing file can read as empty, one outside never does", async () => {
  const lenient = createLocalFileHost({ missingAsEmpty: true });
  expect(await lenient.readTextFile({ path: place("missing") }, session)).toBe("");
  expect((await failure(lenient.readTextFile({ path: join(base, "missing") }, session))).code).toBe(
    rpcErrorCode.invalidParams,
  );
});

describe("files that are open in an editor", () => {
  const buffers = (texts: Record<string, string>) => {
    const open = new Map(Object.entries(texts));
    const editor = {
      read: (path: string) => open.get(path),
      replace: (path: string, text: string) => void open.set(path, text),
    };
    return { open, host: createLocalFileHost({ buffers: editor, maxBytes: 1000 }) };
  };

  test("are read as the person sees them, saved or not, also by a link (V1-FS-03)", async () => {
    const path = await stored("on the disk");
    await symlink(path, place("alias"));
    const { host } = buffers({ [path]: "typed\r\nnot saved", [place("unsaved")]: "new" });
    expect(await host.readTextFile({ path }, session)).toBe("typed\r\nnot saved");
    expect(await host.readTextFile({ path: place("alias") }, session)).toBe("typed\r\nnot saved");
    expect(await host.readTextFile({ path: place("unsaved") }, session)).toBe("new");
    await writeFile(place("closed"), "closed");
    expect(await host.readTextFile({ path: place("closed") }, session)).toBe("closed");
  });

  test("give the same parts as the disk, and are bounded like it (V1-FS-03, V1-FS-04)", async () => {
    const text = "\ufeffone\r\ntwo\n\nlast";
    const path = await stored(text);
    const { host, open } = buffers({ [path]: text });
    for (let line = 0; line < 7; line++) {
      for (const limit of [0, 1, 2, 9, null]) {
        const onDisk = await createLocalFileHost().readTextFile({ path, line, limit }, session);
        expect([line, limit, await host.readTextFile({ path, line, limit }, session)]).toEqual([line, limit, onDisk]);
      }
    }
    open.set(path, "€".repeat(400));
    expect((await failure(host.readTextFile({ path }, session))).text).toContain("more than 1000 bytes");
  });

  test("are told what the agent wrote; others are not opened by it (V1-FS-06)", async () => {
    const path = await stored("old");
    const { host, open } = buffers({ [path]: "typed" });
    await host.writeTextFile({ path, content: "by the agent" }, session);
    await host.writeTextFile({ path: place("closed"), content: "x" }, session);
    expect([...open]).toEqual([[path, "by the agent"]]);
    expect(await readFile(path, "utf8")).toBe("by the agent");
  });

  test("outside of the session are none of the agent's business (V1-FS-08)", async () => {
    const secret = join(base, "secret");
    const { host, open } = buffers({ [secret]: "typed" });
    for (const path of [secret, `${root}/../secret`]) {
      expect((await failure(host.readTextFile({ path }, session))).code).toBe(rpcErrorCode.invalidParams);
      expect((await failure(host.writeTextFile({ path, content: "" }, session))).code).toBe(rpcErrorCode.invalidParams);
    }
    expect(open.get(secret)).toBe("typed");
  });
});

describe("writing", () => {
  test("brings back what was written, character by character, in folders that it makes (V1-FS-06)", async () => {
    const content = "\ufeffzwölf\r\n🚀\n\nno end";
    await host.writeTextFile({ path: place("a/new/file"), content }, session);
    expect(await host.readTextFile({ path: place("a/new/file") }, session)).toBe(content);
    expect(await readFile(place("a/new/file"), "utf8")).toBe(content);
  });

  test("replaces a file in one step: who has it open reads on in the old one (V1-FS-06)", async () => {
    const handle = await open(await stored("old"), "r");
    await host.writeTextFile({ path: place("stored"), content: "new, and longer" }, session);
    expect(await handle.readFile("utf8")).toBe("old");
    await handle.close();
    expect(await readdir(root)).not.toContainEqual(expect.stringMatching(/\.tmp$/));
    expect(await readFile(place("stored"), "utf8")).toBe("new, and longer");
  });

  test("keeps the mode", async () => {
    await writeFile(place("script"), "#!/bin/sh\n");
    await chmod(place("script"), 0o750);
    await host.writeTextFile({ path: place("script"), content: "" }, session);
    expect((await stat(place("script"))).mode & 0o777).toBe(0o750);
  });

  test("refuses what leads outside, and touches nothing (V1-FS-08, V1-SESS-12)", async () => {
    await appendFile(place("other"), "");
    await symlink(join(base, "fresh"), place("dangling"));
    for (const path of [join(base, "fresh"), place("dangling"), `${root}/../fresh`, "fresh"]) {
      const { code } = await failure(host.writeTextFile({ path, content: "x" }, session));
      expect(code).toBe(rpcErrorCode.invalidParams);
    }
    await expect(stat(join(base, "fresh"))).rejects.toThrow("ENOENT");
  });
});
