import { link, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRpcError, rpcErrorCode } from "@turnkit/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostSession } from "../host/hosted-session.js";
import { createLocalFileHost, type FileAccess } from "./files.js";

let root: string;
let session: HostSession;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "turnkit-audit-")));
  session = { sessionId: "s-1", cwd: root, roots: [root], signal: new AbortController().signal };
});
afterEach(() => rm(root, { recursive: true }));

async function codeOf(promise: Promise<unknown> | unknown): Promise<number | undefined> {
  const error = await Promise.resolve(promise).catch((error: unknown) => error);
  return isRpcError(error) ? error.code : undefined;
}

test("the audit is told every access, what came of it, and nothing of what is in the files", async () => {
  const received: FileAccess[] = [];
  const host = createLocalFileHost({ audit: (access) => received.push(access) });
  await host.writeTextFile({ path: join(root, "a"), content: "zwölf" }, session);
  await host.readTextFile({ path: join(root, "a"), limit: 1 }, session);
  await codeOf(host.readTextFile({ path: join(root, "none") }, session));
  await codeOf(host.writeTextFile({ path: "/etc/passwd", content: "x" }, session));
  const about = { at: expect.any(Number), sessionId: "s-1" };
  expect(received).toEqual([
    { ...about, operation: "write", path: join(root, "a"), bytes: 6 },
    { ...about, operation: "read", path: join(root, "a"), bytes: 6 },
    { ...about, operation: "read", path: join(root, "none"), error: expect.objectContaining({ code: -32002 }) },
    { ...about, operation: "write", path: "/etc/passwd", error: expect.objectContaining({ code: -32602 }) },
  ]);
  expect(JSON.stringify(received)).not.toContain("zwölf");
});

test("an audit that fails fails the access, once", async () => {
  let calls = 0;
  const host = createLocalFileHost({
    audit: () => {
      calls++;
      throw new Error("the disk of the audit is full");
    },
  });
  await writeFile(join(root, "a"), "text");
  await expect(host.readTextFile({ path: join(root, "a") }, session)).rejects.toThrow("disk of the audit");
  await expect(host.readTextFile({ path: join(root, "none") }, session)).rejects.toThrow("disk of the audit");
  expect(calls).toBe(2);
});

test("defect N151: so does an audit that rejects", async () => {
  const host = createLocalFileHost({ audit: () => Promise.reject(new Error("the disk of the audit is full")) });
  await writeFile(join(root, "a"), "text");
  await expect(host.readTextFile({ path: join(root, "a") }, session)).rejects.toThrow("disk of the audit");
});

test("files of several names are read unless they are refused; writing never reaches the other names", async () => {
  const twin = await realpath(await mkdtemp(join(tmpdir(), "turnkit-twin-")));
  await writeFile(join(twin, "theirs"), "shared");
  await link(join(twin, "theirs"), join(root, "ours"));
  const path = join(root, "ours");
  expect(await createLocalFileHost().readTextFile({ path }, session)).toBe("shared");
  const strict = createLocalFileHost({ hardLinks: "refuse" });
  expect(await codeOf(strict.readTextFile({ path }, session))).toBe(rpcErrorCode.invalidParams);
  await strict.writeTextFile({ path, content: "ours now" }, session);
  expect(await strict.readTextFile({ path }, session)).toBe("ours now");
  expect(await createLocalFileHost().readTextFile({ path: join(twin, "theirs") }, { ...session, roots: [twin] })).toBe(
    "shared",
  );
  await rm(twin, { recursive: true });
});
