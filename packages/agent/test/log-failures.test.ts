import { mkdir, mkdtemp, open, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type AgentHandlers,
  type AgentSession,
  type ConfigOption,
  createMemoryLog,
  type Diagnostic,
  MAX_HELD_UPDATES,
  type SessionState,
} from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { all } from "./log-reader.js";
import { clientInfo, connectAs, openAs, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const place = { cwd: "/work", mcpServers: [] };
const huge = "x".repeat(2_000);
const tooLarge = expect.objectContaining({ problem: "too_large" });

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** A log of which one record holds little. */
const smallLog = async () => createFileLog(await newFolder(), { maxRecordBytes: 1_000 });

const mode = (description: string): ConfigOption => ({
  type: "select",
  configId: "mode",
  name: "Mode",
  description,
  currentValue: "ask",
  options: [{ value: "ask", name: "Ask" }],
});

describe("what a log cannot take", () => {
  test("is no session: lists too large for it leave nothing behind", async () => {
    const log = await smallLog();
    const { client } = await connectAs(v1Hello, { log, newSession: () => ({ configOptions: [mode(huge)] }) });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
    expect(await client.result("session/list")).toEqual({ sessions: [] });
  });

  test("does not keep a session from being restored once it fits", async () => {
    const log = await smallLog();
    const descriptions = [huge, "short"];
    const restoreSession = () => ({ configOptions: [mode(descriptions.shift() ?? "")] });
    const { client, sessionId } = await openAs(v1Hello, { log, restoreSession });
    expect(await client.error("session/load", { sessionId, ...place })).toMatchObject({ code: -32603 });
    expect(await client.result("session/load", { sessionId, ...place })).toMatchObject({
      configOptions: [{ description: "short" }],
    });
  });

  test("V2-TOOL-10: is no end of a tool call: it can still fail, and is then not cancelled any more", async () => {
    const prompt: AgentHandlers["prompt"] = (turn) => {
      const call = turn.toolCall({ title: "Read", onCancel: () => undefined });
      expect(() => call.finish({ rawOutput: huge })).toThrow(tooLarge);
      call.fail("too large to be stored");
    };
    const { client, sessionId } = await openAs(v2Hello, { log: await smallLog(), prompt });
    client.prompt(sessionId);
    await client.update("state_update", 1);
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed", capabilities: null });
  });
});

/** Makes every write to a file fail, until `free` is called. `meanwhile` runs during the first write. */
async function fillDisk(code: string, meanwhile?: () => void): Promise<{ free(): void }> {
  const handle = await open(process.execPath);
  const write = vi.spyOn(Object.getPrototypeOf(handle), "write");
  onTestFinished(() => write.mockRestore());
  await handle.close();
  const error = Object.assign(new Error("no space"), { code });
  write.mockRejectedValue(error);
  if (meanwhile !== undefined)
    write.mockImplementationOnce(() => {
      meanwhile();
      return Promise.reject(error);
    });
  return { free: () => write.mockRestore() };
}

describe("defect P35: a disk without room", () => {
  test.each([
    ["version 1", v1Hello],
    ["version 2", v2Hello],
  ])("does not end a session for ever: the next prompt tries again, in %s", async (_, hello) => {
    const log = createFileLog(await newFolder());
    const prompt = vi.fn<AgentHandlers["prompt"]>((turn) => void turn.say("ok"));
    const { client, sessionId } = await openAs(hello, { log, prompt });
    const send = (text: string) => ({ sessionId, prompt: [{ type: "text", text }] });
    const failed = () => vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("could not be stored"));
    const disk = await fillDisk("ENOSPC");
    client.prompt(sessionId, "one");
    await failed();
    expect(await client.error("session/prompt", send("two"))).toMatchObject({
      message: expect.stringContaining("try again"),
    });
    expect(prompt).toHaveBeenCalledTimes(1);
    disk.free();
    await client.result("session/prompt", send("three"));
    await client.result("session/close", { sessionId });
    const said = (await all(log.read(sessionId))).filter(({ type }) => type === "user_message");
    expect(said).toMatchObject([{ content: [{ text: "one" }] }, { content: [{ text: "three" }] }]);
  });

  test.each(["ENOSPC", "EDQUOT", "EIO"])(
    "keeps the order of the records, unless their state is unknown: %s",
    async (code) => {
      const log = createFileLog(await newFolder());
      const writer = await log.open("s", { sessionId: "s", cwd: "/work" });
      const title = (name: string) => ({ type: "session_info_update", title: name }) as const;
      const disk = await fillDisk(code, () => writer.append(title("meanwhile")));
      writer.append(title("one"));
      await expect(writer.commit()).rejects.toMatchObject({ problem: "failed", cause: { code } });
      writer.append(title("two"));
      disk.free();
      if (code === "EIO") return expect(writer.commit()).rejects.toMatchObject({ cause: { code } });
      await writer.commit();
      expect(await all(log.read("s"))).toEqual(["one", "meanwhile", "two"].map(title));
      await writer[Symbol.asyncDispose]();
    },
  );
});

describe("a folder of sessions", () => {
  test("has nothing of one that could not be made, so that it can be made later", async () => {
    const root = await newFolder();
    const log = createFileLog(root);
    // Stands where something is to be written.
    await mkdir(join(root, "s-s", "info.json.next"), { recursive: true });
    const info = { sessionId: "s", cwd: "/work" };
    await expect(log.open("s", info)).rejects.toMatchObject({ problem: "failed" });
    expect(await readdir(root)).toEqual([]);
    await (await log.open("s", info))[Symbol.asyncDispose]();
    await expect(log.open("s", info)).rejects.toMatchObject({ problem: "exists" });
    expect(await log.list({})).toMatchObject({ sessions: [{ sessionId: "s" }] });
  });

  test.skipIf(process.platform === "win32")("is listed without what in it cannot be read", async () => {
    const root = await newFolder();
    const log = createFileLog(root);
    await (await log.open("s", { sessionId: "s", cwd: "/work" }))[Symbol.asyncDispose]();
    await rm(join(root, "s-s", "info.json"));
    await mkdir(join(root, "s-s", "info.json"));
    await symlink("s-loop", join(root, "s-loop"));
    expect(await log.list({})).toMatchObject({ sessions: [{ sessionId: "s" }] });
  });
});

describe("what is refused", () => {
  test.each([
    ["version 1", v1Hello],
    ["version 2", v2Hello],
  ])(
    "defect B13: a prompt that cannot be stored begins no turn: nothing of it is stored, folded or sent in %s",
    async (_, hello) => {
      const log = await smallLog();
      let session: AgentSession | undefined;
      const prompt = vi.fn<AgentHandlers["prompt"]>((turn) => void turn.say("ok"));
      const newSession = (_: unknown, opened: AgentSession) => {
        session = opened;
      };
      const { client, sessionId } = await openAs(hello, { log, prompt, newSession });
      const large = { sessionId, prompt: [{ type: "text", text: huge }] };
      expect(await client.error("session/prompt", large)).toBeDefined();
      expect(prompt).not.toHaveBeenCalled();
      expect(client.updates()).toEqual([]);
      expect(session?.state).toMatchObject({ timeline: { length: 0 }, activity: { state: "idle" } });
      await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "short" }] });
      await client.result("session/close", { sessionId });
      const kinds = (await all(log.read(sessionId))).map(({ type }) => type);
      expect(kinds.filter((type) => type !== "session_opened")).toEqual([
        "user_message",
        "turn_started",
        "agent_message_chunk",
        "turn_ended",
      ]);
    },
  );

  test.each([
    ["too many", (session: AgentSession, n: number) => session.setTitle(`title ${n}`), MAX_HELD_UPDATES],
    [
      "too large",
      (session: AgentSession) =>
        session.emit({
          type: "agent_message_chunk",
          messageId: "m",
          content: { type: "text", text: "x".repeat(1_000_000) },
        }),
      4,
    ],
  ] as const)("defect B13: updates that are %s to be held are neither stored nor folded", async (_, emit, most) => {
    const log = createMemoryLog();
    let received = 0;
    let state: SessionState | undefined;
    const { client } = await connectAs(v1Hello, {
      log,
      newSession(_, session) {
        expect(() => {
          for (; received < 2_000; received++) emit(session, received);
        }).toThrow(expect.objectContaining({ code: "state" }));
        ({ state } = session);
      },
    });
    const { sessionId } = await client.result("session/new", place);
    await client.result("session/close", { sessionId });
    const stored = (await all(log.read(sessionId))).filter(({ type }) => type !== "session_opened");
    expect(received).toBe(most);
    expect(stored).toHaveLength(received);
    expect(client.updates()).toHaveLength(received);
    const message = state?.timeline.at(0);
    expect(message?.type === "message" ? message.content.length : state?.title).toBe(
      message === undefined ? `title ${received - 1}` : received,
    );
  });

  test("defect B10: a compaction that is given up is reported, and the log stays as it was", async () => {
    const folder = await newFolder();
    const reported: Diagnostic[] = [];
    const prompt: AgentHandlers["prompt"] = (turn) => void turn.say("x".repeat(900));
    const first = await openAs(v1Hello, { log: createFileLog(folder), prompt });
    await first.client.ask(first.sessionId);
    await first.client.result("session/close", { sessionId: first.sessionId });
    const before = await all(createFileLog(folder).read(first.sessionId));
    const log = createFileLog(folder, { maxRecordBytes: 500, compactBytes: 1 });
    const { client } = await connectAs(v1Hello, { log }, { onDiagnostic: (one) => reported.push(one) });
    await client.result("session/load", { sessionId: first.sessionId, ...place });
    await client.result("session/close", { sessionId: first.sessionId });
    expect(reported).toMatchObject([{ code: "log_failed", error: { problem: "too_large" } }]);
    const after = await all(createFileLog(folder).read(first.sessionId));
    expect(after.slice(0, before.length)).toEqual(before);
  });
});

describe("a log in memory", () => {
  test("defect B1: loses nothing of what is appended while it is compacted, though several commits want that", async () => {
    const log = createMemoryLog({ compactAbove: 3 });
    const writer = await log.open("s", { sessionId: "s", cwd: "/work" });
    const commits: Promise<void>[] = [];
    for (let n = 0; n < 40; n++) {
      const content = { type: "text", text: `${n} ` } as const;
      writer.append({ type: "agent_message_chunk", messageId: `m${n}`, content });
      commits.push(writer.commit());
      if (n % 7 === 0) await commits[n - 1];
    }
    await Promise.all(commits);
    await writer[Symbol.asyncDispose]();
    const ids = (await all(log.read("s"))).flatMap((event) => ("messageId" in event ? [event.messageId] : []));
    expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => `m${n}`));
  });
});
