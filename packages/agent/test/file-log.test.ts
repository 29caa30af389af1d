import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { createFileLog, type LogRepair } from "../src/node/index.js";

const say = (text: string): SessionEvent => ({
  type: "agent_message",
  messageId: text.slice(0, 20),
  content: [{ type: "text", text }],
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const pathOf = (root: string, name: string): string => join(root, "s-s", name);

async function stored(root: string, ...texts: readonly string[]): Promise<void> {
  await using writer = await createFileLog(root).open("s", { sessionId: "s", cwd: "/work" });
  for (const text of texts) writer.append(say(text));
}

async function read(root: string, sessionId = "s"): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of createFileLog(root).read(sessionId)) events.push(event);
  return events;
}

async function repaired(root: string): Promise<LogRepair[]> {
  const repairs: LogRepair[] = [];
  await using _writer = await createFileLog(root, { onRepair: (repair) => repairs.push(repair) }).open("s");
  return repairs;
}

describe("a session's file", () => {
  test("holds JSON lines, each with a checksum, for nobody else's eyes", async () => {
    const root = await newFolder();
    await stored(root, "one", "two");
    const lines = (await readFile(pathOf(root, "log.jsonl"), "utf8")).trimEnd().split("\n");
    const values = lines.map((line) => JSON.parse(line) as [string, object]);
    expect(values.map(([sum]) => /^[0-9a-f]{8}$/.test(sum))).toEqual([true, true, true]);
    expect(values[0]?.[1]).toEqual({ format: "turnkit-session-log/1", info: { sessionId: "s", cwd: "/work" } });
    expect(values[2]?.[1]).toEqual(say("two"));
    if (process.platform !== "win32") expect((await stat(pathOf(root, "log.jsonl"))).mode & 0o077).toBe(0);
    expect(await readdir(join(root, "s-s"))).toEqual(["info.json", "log.jsonl"]);
  });

  test("cut anywhere, gives every record that is whole, and takes new ones after them", {
    timeout: 30_000,
  }, async () => {
    const root = await newFolder();
    await stored(root, "one", "two 😀");
    const path = pathOf(root, "log.jsonl");
    const whole = await readFile(path);
    const header = whole.indexOf(10) + 1;
    for (let size = whole.length; size >= header; size--) {
      await writeFile(path, whole.subarray(0, size));
      const kept = [...whole.subarray(header, size)].filter((byte) => byte === 10).length;
      const expected = [say("one"), say("two 😀")].slice(0, kept);
      expect(await read(root)).toEqual(expected);
      const end = whole.subarray(0, size).lastIndexOf(10) + 1;
      const cut = { sessionId: "s", cutBytes: size - end, damagedRecords: 0 };
      expect(await repaired(root)).toEqual(size === end ? [] : [cut]);
      expect((await stat(path)).size).toBe(end);
    }
    await using writer = await createFileLog(root).open("s");
    writer.append(say("four"));
    await writer.commit();
    expect(await read(root)).toEqual([say("four")]);
  });

  test.each([
    ["garbage", Buffer.from('["00000000",{"type":"agent_message"}]\n')],
    ["zeros", Buffer.alloc(5_000)],
    ["zeros and a line's end", Buffer.concat([Buffer.alloc(300_000), Buffer.from("\n")])],
    ["half a line, twice", Buffer.from('["12345678",{"ty\n["12345678",{"ty')],
  ])("whose last write was torn into %s is cut there", async (_, torn) => {
    const root = await newFolder();
    await stored(root, "one");
    await appendFile(pathOf(root, "log.jsonl"), torn);
    expect(await read(root)).toEqual([say("one")]);
    expect(await repaired(root)).toEqual([{ sessionId: "s", cutBytes: torn.length, damagedRecords: 0 }]);
    expect(await repaired(root)).toEqual([]);
  });

  test("with a damaged record in the middle loses that one alone, and says so", async () => {
    const root = await newFolder();
    await stored(root, "one", "two", "three");
    const path = pathOf(root, "log.jsonl");
    await writeFile(path, (await readFile(path, "utf8")).replace('"two"', '"twO"'));
    expect(await read(root)).toEqual([say("one"), say("three")]);
    expect(await repaired(root)).toEqual([{ sessionId: "s", cutBytes: 0, damagedRecords: 1 }]);
  });

  test.each([
    ["checksum", 3],
    ["folder", 80],
  ])("with a damaged first record (its %s) loses that one alone, too", async (_, at) => {
    const root = await newFolder();
    await stored(root, "one", "two");
    const path = pathOf(root, "log.jsonl");
    const bytes = await readFile(path);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, bytes);
    expect(await repaired(root)).toEqual([{ sessionId: "s", cutBytes: 0, damagedRecords: 1 }]);
    expect(await read(root)).toEqual([say("one"), say("two")]);
    expect(await createFileLog(root).list({ cwd: "/work" })).toMatchObject({ sessions: [{ sessionId: "s" }] });
    await rm(pathOf(root, "info.json"));
    await expect(createFileLog(root).open("s")).rejects.toMatchObject({ problem: "failed" });
  });

  test("of a format that is not known is not touched", async () => {
    const root = await newFolder();
    await stored(root, "one");
    const path = pathOf(root, "log.jsonl");
    const other = (await readFile(path, "utf8")).split("\n").slice(1).join("\n");
    await writeFile(path, other);
    await expect(createFileLog(root).open("s")).rejects.toMatchObject({ code: "session_log", problem: "failed" });
    await expect(read(root)).rejects.toMatchObject({ problem: "failed" });
    expect(await readFile(path, "utf8")).toBe(other);
  });

  test("takes no record above the bound, and goes on after it", async () => {
    const root = await newFolder();
    const log = createFileLog(root, { maxRecordBytes: 1_000 });
    await using writer = await log.open("s", { sessionId: "s", cwd: "/work" });
    expect(() => writer.append(say("x".repeat(1_000)))).toThrow(expect.objectContaining({ problem: "too_large" }));
    writer.append(say("small"));
    await writer.commit();
    expect(await read(root)).toEqual([say("small")]);
  });

  test("is on the disk when it is committed, not merely written", async () => {
    const root = await newFolder();
    const writer = await createFileLog(root).open("s", { sessionId: "s", cwd: "/work" });
    const handle = await open(pathOf(root, "log.jsonl"));
    const datasync = vi.spyOn(Object.getPrototypeOf(handle), "datasync");
    onTestFinished(() => datasync.mockRestore());
    await handle.close();
    writer.append(say("one"));
    const written: number[] = [];
    datasync.mockImplementationOnce(async () => void written.push((await read(root)).length));
    await writer.commit();
    expect(written).toEqual([1]);
    datasync.mockRejectedValueOnce(new Error("the disk is gone"));
    await expect(writer.commit()).rejects.toMatchObject({ problem: "failed", cause: { message: "the disk is gone" } });
    // Nobody knows what is on it: no later commit claims to.
    await expect(writer.commit()).rejects.toMatchObject({ problem: "failed" });
    await expect(writer[Symbol.asyncDispose]()).rejects.toMatchObject({ problem: "failed" });
    await (await createFileLog(root).open("s"))[Symbol.asyncDispose]();
  });

  test("asks to wait when the disk is behind, and stays small when one thing changes often", async () => {
    const root = await newFolder();
    const writer = await createFileLog(root, { compactBytes: 50_000 }).open("s", { sessionId: "s", cwd: "/work" });
    let waited = 0;
    for (let n = 0; n < 500; n++) {
      const room = writer.append({
        ...say("same"),
        content: [{ type: "text", text: `${n}${"x".repeat(10_000)}` }],
      } as SessionEvent);
      if (room !== undefined) waited += 1;
      await room;
    }
    await writer.commit();
    await writer[Symbol.asyncDispose]();
    expect(waited).toBeGreaterThan(0);
    expect((await stat(pathOf(root, "log.jsonl"))).size).toBeLessThan(20_000);
    expect(await read(root)).toMatchObject([
      { type: "session_opened" },
      { messageId: "same", content: [{ text: expect.stringMatching(/^499x/) }] },
    ]);
  });

  test("is as it was when a compaction died before it was in place", async () => {
    const root = await newFolder();
    await stored(root, "one");
    await writeFile(pathOf(root, "log.next"), "half");
    expect(await repaired(root)).toEqual([]);
    expect(await readdir(join(root, "s-s"))).toEqual(["info.json", "log.jsonl"]);
    expect(await read(root)).toEqual([say("one")]);
  });

  test("is listed from itself when what stands beside it is missing or broken", async () => {
    const root = await newFolder();
    await using writer = await createFileLog(root).open("s", { sessionId: "s", cwd: "/work" });
    writer.append({ type: "session_info_update", title: "Title", updatedAt: "2026-01-02T03:04:05Z" });
    await writer.commit();
    const session = { sessionId: "s", cwd: "/work", title: "Title", updatedAt: "2026-01-02T03:04:05Z" };
    for (const broken of ["", "{", "null", "{}"]) {
      await writeFile(pathOf(root, "info.json"), broken);
      expect(await createFileLog(root).list({})).toEqual({ sessions: [session] });
    }
    await rm(pathOf(root, "info.json"));
    expect(await createFileLog(root).list({})).toEqual({ sessions: [session] });
    await mkdir(join(root, "s-empty"));
    await writeFile(join(root, "s-file"), "");
    await writeFile(join(root, "notes.txt"), "");
    expect((await createFileLog(root).list({})).sessions).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")("is never a link to somewhere else", async () => {
    const root = await newFolder();
    await stored(root, "one");
    const target = join(root, "precious");
    await writeFile(target, await readFile(pathOf(root, "log.jsonl")));
    await appendFile(target, "tail");
    await rm(pathOf(root, "log.jsonl"));
    await symlink(target, pathOf(root, "log.jsonl"));
    await expect(createFileLog(root).open("s")).rejects.toMatchObject({ problem: "failed" });
    await expect(read(root)).rejects.toMatchObject({ problem: "failed" });
    expect((await readFile(target, "utf8")).endsWith("tail")).toBe(true);
  });

  test("never leaves the log's folder, whatever a client calls a session", async () => {
    const outside = await newFolder();
    const root = join(outside, "sessions");
    const log = createFileLog(root);
    for (const sessionId of ["../x", "..", "/tmp/x", "a/../../x", "C:\\x", "con", "s".repeat(70), "A", "\0"]) {
      await using writer = await log.open(sessionId, { sessionId, cwd: "/work" });
      await writer.commit();
    }
    expect(await readdir(outside)).toEqual(["sessions"]);
    for (const name of await readdir(root)) expect(name).toMatch(/^(s-con|h-[0-9a-f]{64})$/);
  });
});

describe("the lock of a session", () => {
  const lock = (root: string, holder: object | string) =>
    writeFile(pathOf(root, "lock.json"), typeof holder === "string" ? holder : JSON.stringify(holder));
  const reopen = async (root: string) => (await createFileLog(root).open("s"))[Symbol.asyncDispose]();
  const dead = async (): Promise<number> => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    return Number(child.pid);
  };

  test("names who holds it", async () => {
    const root = await newFolder();
    await stored(root, "one");
    await using _writer = await createFileLog(root).open("s");
    await expect(reopen(root)).rejects.toMatchObject({
      problem: "locked",
      message: expect.stringContaining(`process ${process.pid} on ${hostname()}`),
    });
  });

  test("is taken over from a process that is gone, also by many at once", async () => {
    const root = await newFolder();
    await stored(root, "one");
    const pid = await dead();
    await lock(root, { token: "t", pid, host: hostname() });
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => createFileLog(root).open("s")));
    const won = tries.filter((one) => one.status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const one of tries) if (one.status === "rejected") expect(one.reason).toMatchObject({ problem: "locked" });
    for (const { value } of won) await value[Symbol.asyncDispose]();
  });

  test.runIf(process.platform === "linux")(
    "is taken over when its process id belongs to another process now",
    async () => {
      const root = await newFolder();
      await stored(root, "one");
      for (const pid of [process.pid, process.ppid]) {
        await lock(root, { token: "t", pid, host: hostname(), began: "boot 1" });
        await reopen(root);
      }
    },
  );

  test.runIf(process.platform === "linux")("is taken over from a dead process whose parent does not look", async () => {
    const root = await newFolder();
    await stored(root, "one");
    // The shell's child is dead as soon as it says its number, and stays in the table while the shell became a sleep.
    const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = Number(String(await new Promise((resolve) => parent.stdout.once("data", resolve))));
    await lock(root, { token: "t", pid, host: hostname() });
    await vi.waitFor(() => reopen(root));
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  test("of another machine holds while it is fresh; one cut short is its writer's for a moment", async () => {
    const root = await newFolder();
    await stored(root, "one");
    const path = pathOf(root, "lock.json");
    for (const holder of [{ token: "t", pid: 1, host: "elsewhere" }, '{"tok', ""]) {
      await lock(root, holder);
      await expect(reopen(root)).rejects.toMatchObject({ problem: "locked" });
      const old = new Date(Date.now() - 600_000);
      await utimes(path, old, old);
      await reopen(root);
    }
  });
});

describe("a writer that is killed", () => {
  /** Runs the fixture until it has committed so often, then kills it; tells what it committed last. */
  async function killed(root: string, from: number, commits: number): Promise<number> {
    const fixture: string = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}")[
      fileURLToPath(new URL("./fixtures/log-writer.ts", import.meta.url))
    ];
    const child = spawn(process.execPath, [fixture, root, "s", String(from)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let last = -1;
    let seen = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === "open") continue;
      last = Number(line);
      seen += 1;
      if (seen === commits) child.kill("SIGKILL");
    }
    if (child.signalCode === null) await once(child, "exit");
    return last;
  }

  test("loses nothing that it committed, and leaves a log that the next one goes on with", {
    timeout: 60_000,
  }, async () => {
    const root = await newFolder();
    let from = 0;
    for (const commits of [1, 60, 23, 140]) {
      const committed = await killed(root, from, commits);
      expect(committed).toBeGreaterThanOrEqual(from);
      if (commits === 23) await appendFile(pathOf(root, "log.jsonl"), '["12345678",{"type":"agent_mess');
      await (await createFileLog(root).open("s"))[Symbol.asyncDispose]();
      const ids = (await read(root)).flatMap((event) => ("messageId" in event ? Number(event.messageId) : []));
      expect(ids).toEqual(ids.map((_, n) => n));
      expect(ids.length).toBeGreaterThan(committed);
      from = ids.length;
    }
  });
});

test.each(["~", "~/sessions", "~ann/sessions"])(
  "the folder %s is refused, because only a shell replaces it",
  (folder) => {
    expect(() => createFileLog(folder)).toThrow(/createFileLog.*homedir\(\)/);
  },
);
