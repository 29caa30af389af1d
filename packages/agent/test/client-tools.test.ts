import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ClientFiles, ClientTerminals, Turn } from "../src/index.js";
import { aborted, type Connected, type Frame, gate, open, type RawClient } from "./raw-client.js";

/** Lets the client answer every call of a method. */
function onCall(client: RawClient, method: string, reply: (params: Frame) => Frame): void {
  const answer = async (n: number): Promise<void> => {
    const call = await client.call(method, n);
    client.send({ id: call.id, ...reply(call.params) });
    await answer(n + 1);
  };
  void answer(0);
}

const params = (client: RawClient, method: string): Frame[] =>
  client.received.filter((frame) => frame.method === method).map((frame) => frame.params);

describe("files", () => {
  test.each<[string, object, string[]]>([
    ["none", {}, []],
    ["reading", { fs: { readTextFile: true } }, ["read"]],
    ["writing", { fs: { writeTextFile: true } }, ["write"]],
    ["both", { fs: { readTextFile: true, writeTextFile: true } }, ["read", "write"]],
    ["nothing that is true", { fs: { readTextFile: "yes", writeTextFile: {} }, terminal: {} }, []],
  ])("V1-FS-01 V1-INIT-10: a client that offers %s", async (_, capabilities, methods) => {
    let files: Turn["files"];
    const { client, sessionId } = await open(
      {
        prompt: (turn) => {
          files = turn.files;
        },
      },
      { capabilities },
    );
    await client.ask(sessionId);
    expect(files && Object.keys(files)).toEqual(methods.length === 0 ? undefined : methods);
  });

  test("V1-FS-02 V1-FS-05: reads and writes", async () => {
    const { client, sessionId } = await open({
      async prompt({ files }) {
        const all = await files?.read?.("/work/a");
        const some = await files?.read?.("/work/a", { line: 2, limit: 1 });
        await files?.write?.("/work/b", `${all}${some}`);
      },
    });
    onCall(client, "fs/read_text_file", ({ line }) => ({ result: { content: line ? "two\n" : "one\ntwo\n" } }));
    onCall(client, "fs/write_text_file", () => ({ result: null }));
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(params(client, "fs/read_text_file")).toEqual([
      { sessionId, path: "/work/a" },
      { sessionId, path: "/work/a", line: 2, limit: 1 },
    ]);
    expect(params(client, "fs/write_text_file")).toEqual([{ sessionId, path: "/work/b", content: "one\ntwo\ntwo\n" }]);
  });

  test("V1-FS-07 V1-RPC-26: errors and malformed results reject", async () => {
    const errors: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt({ files }) {
        for (const path of ["/none", "/odd"]) errors.push(await files?.read?.(path).catch((error) => error));
      },
    });
    onCall(client, "fs/read_text_file", ({ path }) =>
      path === "/none" ? { error: { code: -32002, message: "Resource not found", data: { path } } } : { result: {} },
    );
    await client.ask(sessionId);
    expect(errors).toMatchObject([{ code: -32002, data: { path: "/none" } }, { code: "invalid_message" }]);
  });

  test("V1-CANCEL-11: a cancel withdraws a read and waits for a write", async () => {
    const ends: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt({ files }) {
        const write = files?.write?.("/b", "x").then(() => ends.push("written"));
        await files?.read?.("/a").catch((error) => ends.push(error.code));
        await write;
      },
    });
    const prompt = client.prompt(sessionId);
    const read = await client.call("fs/read_text_file");
    const write = await client.call("fs/write_text_file");
    client.cancel(sessionId);
    await client.call("$/cancel_request", 1);
    expect(
      params(client, "$/cancel_request")
        .map(({ requestId }) => requestId)
        .sort(),
    ).toEqual([write.id, read.id].sort());
    client.reply(write, {});
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    expect(ends).toEqual(["aborted", "written"]);
  });

  test("after the turn's end they ask nothing any more", async () => {
    let files: ClientFiles | undefined;
    let terminals: ClientTerminals | undefined;
    const { client, sessionId } = await open({
      prompt(turn) {
        ({ files, terminals } = turn);
      },
    });
    await client.ask(sessionId);
    const before = client.received.length;
    await expect(files?.read?.("/a")).rejects.toMatchObject({ code: "aborted" });
    await expect(files?.write?.("/a", "")).rejects.toMatchObject({ code: "aborted" });
    await expect(terminals?.create({ command: "ls" })).rejects.toMatchObject({ code: "aborted" });
    expect(client.received.length).toBe(before);
  });
});

describe("terminals", () => {
  /** A client that runs commands until they are killed. */
  function runsCommands({ client }: Pick<Connected, "client">): void {
    let serial = 0;
    onCall(client, "terminal/create", () => ({ result: { terminalId: `t${++serial}` } }));
    onCall(client, "terminal/output", () => ({ result: { output: "ok\n", truncated: false } }));
    onCall(client, "terminal/kill", () => ({ result: {} }));
    onCall(client, "terminal/release", () => ({ result: null }));
  }

  test("V1-TERM-01: absent when not offered", async () => {
    let seen: unknown = "unset";
    const { client, sessionId } = await open(
      {
        prompt: (turn) => {
          seen = turn.terminals;
        },
      },
      { capabilities: {} },
    );
    await client.ask(sessionId);
    expect(seen).toBeUndefined();
  });

  test("V1-TERM-02 V1-TERM-08 V1-TERM-10 V1-TERM-18: create, output, kill, wait, release", async () => {
    const seen: unknown[] = [];
    const connected = await open({
      async prompt({ terminals }) {
        const command = { command: "make", args: ["check"], env: { CI: "1" }, cwd: "/work", outputByteLimit: 4096 };
        const terminal = await terminals?.create(command);
        seen.push(await terminal?.output());
        await terminal?.kill();
        seen.push(await terminal?.waitForExit());
        await terminal?.release();
        await terminal?.release();
      },
    });
    const { client, sessionId } = connected;
    runsCommands(connected);
    onCall(client, "terminal/wait_for_exit", () => ({ result: { exitCode: null, signal: "SIGKILL" } }));
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(params(client, "terminal/create")).toEqual([
      {
        sessionId,
        command: "make",
        args: ["check"],
        env: [{ name: "CI", value: "1" }],
        cwd: "/work",
        outputByteLimit: 4096,
      },
    ]);
    expect(seen).toEqual([
      { output: "ok\n", truncated: false },
      { exitCode: null, signal: "SIGKILL" },
    ]);
    expect(params(client, "terminal/release")).toEqual([{ sessionId, terminalId: "t1" }]);
  });

  test.each(["end", "error"])("V1-TERM-15: what is not released is released at the turn's %s", async (how) => {
    const connected = await open({
      async prompt({ terminals }) {
        await terminals?.create({ command: "a" });
        const second = await terminals?.create({ command: "b" });
        await second?.release();
        if (how === "error") throw new Error("no");
      },
    });
    const { client, sessionId } = connected;
    runsCommands(connected);
    await client.ask(sessionId);
    await client.call("terminal/release", 1);
    await client.newSession();
    expect(params(client, "terminal/release").map(({ terminalId }) => terminalId)).toEqual(["t2", "t1"]);
  });

  test("V1-TOOL-08 V1-TOOL-12: a tool uses files and terminals, and shows its terminal before that is released", async () => {
    const connected = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Test", kind: "execute" });
        await call.run(async () => {
          const command = (await turn.files?.read?.("/work/command")) ?? "";
          const terminal = await turn.terminals?.create({ command });
          if (terminal !== undefined) call.append({ type: "terminal", terminalId: terminal.terminalId });
          await terminal?.waitForExit();
        });
      },
    });
    const { client, sessionId } = connected;
    runsCommands(connected);
    onCall(client, "fs/read_text_file", () => ({ result: { content: "make" } }));
    onCall(client, "terminal/wait_for_exit", () => ({ result: { exitCode: 0 } }));
    const prompt = client.prompt(sessionId);
    await client.call("terminal/release");
    await client.answer(prompt);
    expect(params(client, "terminal/create")).toMatchObject([{ command: "make" }]);
    const at = (fits: (frame: Frame) => boolean): number => client.received.findIndex(fits);
    const shown = at((frame) => frame.params?.update?.content?.[0]?.terminalId === "t1");
    const released = at(({ method }) => method === "terminal/release");
    expect(shown).toBeGreaterThan(at(({ method }) => method === "terminal/create"));
    expect(released).toBeGreaterThan(shown);
    // It was there as long as the tool ran.
    expect(released).toBeGreaterThan(at((frame) => frame.params?.update?.status === "completed"));
  });

  test("V1-CANCEL-11: a cancel releases at once, and nobody who waits is left hanging", async () => {
    let error: unknown;
    const connected = await open({
      async prompt(turn) {
        const terminal = await turn.terminals?.create({ command: "sleep" });
        error = await terminal?.waitForExit().catch((reason) => reason);
        await client.call("terminal/release");
        await terminal?.[Symbol.asyncDispose]();
      },
    });
    const { client, sessionId } = connected;
    runsCommands(connected);
    const prompt = client.prompt(sessionId);
    await client.call("terminal/wait_for_exit");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    expect(error).toMatchObject({ code: "aborted" });
    expect(params(client, "terminal/release")).toHaveLength(1);
  });

  test("V1-TERM-15: one that was created too late is released, and not handed out", async () => {
    let error: unknown;
    const { client, sessionId } = await open({
      async prompt(turn) {
        error = await turn.terminals?.create({ command: "slow" }).catch((reason) => reason);
      },
    });
    const prompt = client.prompt(sessionId);
    const create = await client.call("terminal/create");
    client.cancel(sessionId);
    expect((await client.call("$/cancel_request")).params).toEqual({ requestId: create.id });
    client.reply(create, { terminalId: "late" });
    expect((await client.call("terminal/release")).params).toEqual({ sessionId, terminalId: "late" });
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    expect(error).toMatchObject({ code: "aborted" });
  });

  test("V1-RPC-10: errors reject", async () => {
    const errors: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt({ terminals }) {
        errors.push(await terminals?.create({ command: "none" }).catch((error) => error.code));
      },
    });
    onCall(client, "terminal/create", () => ({ error: { code: -32603, message: "ENOENT" } }));
    await client.ask(sessionId);
    expect(errors).toEqual([-32603]);
  });
});

test("a lost connection rejects what was asked, and releases nothing any more", async () => {
  const ends = gate<unknown>();
  const { client, sessionId, served } = await open({
    async prompt(turn) {
      const terminal = await turn.terminals?.create({ command: "sleep" });
      const waits = terminal?.waitForExit().catch((error) => error.code);
      await aborted(turn.signal);
      ends.open(await waits);
    },
  });
  onCall(client, "terminal/create", () => ({ result: { terminalId: "t" } }));
  client.prompt(sessionId);
  await client.call("terminal/wait_for_exit");
  await client.close();
  expect(await ends.promise).toBe("connection_closed");
  await served.closed;
  await setImmediate();
});
