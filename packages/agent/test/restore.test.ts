import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type AgentHandlers,
  type ConfigOption,
  createAgent,
  createMemoryLog,
  keepSessions,
  RpcError,
  type SessionLog,
  type SessionLogWriter,
} from "../src/index.js";
import { MAX_COMMIT_MS } from "../src/journal.js";
import { createFileLog } from "../src/node/index.js";
import { all } from "./log-reader.js";
import { clientInfo, connectAs, everything, gate, openAs, seedHello, serve, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const place = { cwd: "/work", mcpServers: [] };
const load = { v1: ["session/load", {}], v2: ["session/resume", { replayFrom: { type: "start" } }] } as const;

/** An agent that never thinks of restoring: it only has a log. */
const plain = (log: SessionLog, more: Partial<AgentHandlers> = {}): Partial<AgentHandlers> => ({
  log,
  newSession(_, session) {
    session.setTitle("New");
    session.emit({ type: "agent_message", messageId: "hello", content: [{ type: "text", text: "Hello." }] });
  },
  prompt(turn) {
    turn.session.setTitle("Counting");
    turn.say("One ");
    turn.say("two.");
    turn.toolCall({ title: "Count" }).finish();
    turn.session.reportUsage({ used: 10, size: 100 });
  },
  ...more,
});

/** A log whose commits wait, fail, or are counted. */
function watched(commit: (real: () => Promise<void>) => Promise<void>, log = createMemoryLog()): SessionLog {
  return {
    keep: keepSessions,
    read: (id) => log.read(id),
    list: (query) => log.list(query),
    delete: (id) => log.delete(id),
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append: (event) => writer.append(event),
        commit: () => commit(() => writer.commit()),
        [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
      } satisfies SessionLogWriter;
    },
  };
}

const texts = (updates: readonly Record<string, any>[]): string[] =>
  updates.flatMap(({ content }) => [content].flat().flatMap((block) => block?.text ?? []));

describe.each([
  ["version 1", v1Hello, ...load.v1],
  ["version 2", v2Hello, ...load.v2],
  ["seed", seedHello, ...load.v1],
] as const)("an agent with a log, %s", (name, hello, method, params) => {
  test("offers to list, load, resume and delete", async () => {
    const { client } = serve(plain(createMemoryLog()));
    const { capabilities, agentCapabilities } = await client.result("initialize", hello);
    const session = capabilities?.session ?? agentCapabilities.sessionCapabilities;
    expect(session).toMatchObject({ delete: {}, ...(name !== "version 2" && { list: {}, resume: {} }) });
  });

  test("V1-SESS-20 V2-SES-08: another connection loads what was said, and goes on with it", async () => {
    const log = createMemoryLog();
    const { client: first, sessionId } = await openAs(hello, plain(log));
    await first.ask(sessionId, "Count!");
    if (name === "version 2") await first.update("state_update", 1);
    await first.result("session/close", { sessionId });
    const { client } = await connectAs(hello, plain(log));
    const answer = await client.request(method, { sessionId, ...place, ...params });
    expect(answer.error).toBeUndefined();
    expect(client.story.at(-1)).toBe(`#${answer.id}`);
    expect(texts(client.updates())).toEqual(["Hello.", "Count!", "One two."]);
    const calls = client.updates().filter(({ toolCallId }) => toolCallId !== undefined);
    expect(calls).toMatchObject([{ title: "Count", status: "completed" }]);
    expect((await client.ask(sessionId)).error).toBeUndefined();
    if (name === "version 2") await client.update("state_update", 2);
    await client.result("session/close", { sessionId });
    const { client: third } = await connectAs(hello, plain(log));
    await third.result(method, { sessionId, ...place, ...params });
    expect(texts(third.updates())).toEqual(["Hello.", "Count!", "One two.", "hi", "One two."]);
  });

  test("V1-SESS-27 V1-SESS-25: resume without a replay says nothing but the usage, and the state is whole", async () => {
    const log = createMemoryLog();
    const { client: first, sessionId } = await openAs(hello, plain(log));
    await first.ask(sessionId, "Count!");
    await first.result("session/close", { sessionId });
    const prompt = vi.fn<AgentHandlers["prompt"]>(({ session: { state } }) => {
      expect([...state.timeline].map(({ type }) => type)).toEqual([
        "message",
        "message",
        "message",
        "tool_call",
        "message",
      ]);
      expect(state.title).toBe("Counting");
    });
    const { client } = await connectAs(hello, plain(log, { prompt }));
    await client.result("session/resume", { sessionId, ...place });
    expect(client.updates().filter(({ sessionUpdate }) => sessionUpdate !== "state_update")).toEqual([
      { sessionUpdate: "usage_update", used: 10, size: 100 },
    ]);
    expect((await client.ask(sessionId)).error).toBeUndefined();
    await vi.waitFor(() => expect(prompt.mock.results[0]?.type).toBe("return"));
  });

  test("V1-SESS-24 V2-SES-24: a session that is not stored does not exist, and is not made", async () => {
    const restoreSession = vi.fn();
    const log = createMemoryLog();
    const { client } = await connectAs(hello, plain(log, { restoreSession }));
    for (const sessionId of ["never", "../../etc/passwd", ""]) {
      const error = await client.error(method, { sessionId, ...place, ...params });
      expect(error).toMatchObject({ code: -32002, data: { sessionId } });
    }
    expect(restoreSession).not.toHaveBeenCalled();
    expect(await log.list({})).toEqual({ sessions: [] });
  });

  test("a session that another connection has open is refused, and not disturbed", async () => {
    const log = createMemoryLog();
    const { client: owner, sessionId } = await openAs(hello, plain(log));
    const { client } = await connectAs(hello, plain(log));
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002, data: { sessionId } });
    for (const other of [method, "session/resume"]) {
      expect(await client.error(other, { sessionId, ...place, ...params })).toMatchObject({
        code: -32600,
        message: expect.stringContaining("has the session open"),
        data: { sessionId, problem: "locked" },
      });
    }
    expect(await client.error("session/delete", { sessionId })).toMatchObject({ code: -32600 });
    expect((await owner.ask(sessionId)).error).toBeUndefined();
    await owner.close();
    await vi.waitFor(() => client.result(method, { sessionId, ...place, ...params }));
  });

  test("defect P37: a session that another connection has open can be read, and only read", async () => {
    const log = createMemoryLog();
    const { client: owner, sessionId } = await openAs(hello, plain(log));
    await owner.ask(sessionId, "Count!");
    const { client } = await connectAs(hello, plain(log));
    const reading = { sessionId, ...place, ...params, _meta: { "turnkit.readOnly": true } };
    await client.result(method, reading);
    expect(texts(client.updates())).toEqual(["Hello.", "Count!", "One two."]);
    const refusal = { code: -32600, message: expect.stringContaining("only read") };
    if (name === "version 2") {
      await client.ask(sessionId);
      await vi.waitFor(() => expect(client.updates().at(-1)).toMatchObject({ state: "idle" }));
    } else expect((await client.ask(sessionId)).error).toMatchObject(refusal);
    expect(texts(client.updates())).toEqual(["Hello.", "Count!", "One two."]);
    expect((await owner.ask(sessionId)).error).toBeUndefined();
    if (name === "version 2") await owner.update("state_update", 2);
    const before = await all(log.read(sessionId));
    await client.result("session/close", { sessionId });
    expect(await all(log.read(sessionId))).toEqual(before);
    // The lock stays with its owner, until the owner leaves.
    expect(await client.error(method, { sessionId, ...place, ...params })).toMatchObject({ code: -32600 });
    await client.result(method, reading);
    await owner.close();
    await vi.waitFor(() => client.result(method, { sessionId, ...place, ...params }));
    expect((await client.ask(sessionId)).error).toBeUndefined();
  });

  test("the end of a turn is told when it is stored, not before", async () => {
    const commit = gate();
    let stored = 0;
    const { client, sessionId } = await openAs(
      hello,
      plain(
        watched(async (real) => {
          await commit.promise;
          await real();
          stored += 1;
        }),
      ),
    );
    const id = client.prompt(sessionId, "Count!");
    const ended = () =>
      name === "version 2"
        ? client.updates("state_update").some(({ state }) => state === "idle")
        : client.received.some((frame) => frame.id === id);
    await client.update("usage_update");
    // A whole round trip later.
    await client.request("_nothing");
    expect([stored, ended()]).toEqual([0, false]);
    commit.open();
    await vi.waitFor(() => expect(ended()).toBe(true));
    expect(stored).toBe(1);
  });

  test("a turn that cannot be stored did not end well, and no other begins until the session was restored", async () => {
    const prompt = vi.fn<AgentHandlers["prompt"]>();
    let broken = true;
    const log = watched((real) => (broken ? Promise.reject(new Error("disk full")) : real()));
    const { client, sessionId, diagnostics } = await openAs(hello, plain(log, { prompt }));
    const answer = await client.ask(sessionId);
    const reported = name === "version 2" ? await client.update("state_update", 1) : answer;
    expect(reported.error).toMatchObject({ code: -32603, data: { details: expect.stringContaining("stored") } });
    expect(diagnostics).toMatchObject([{ code: "log_failed", sessionId, error: { message: "disk full" } }]);
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32603 });
    expect(prompt).toHaveBeenCalledTimes(1);
    broken = false;
    await client.result(method, { sessionId, ...place, ...params });
    expect((await client.ask(sessionId)).error).toBeUndefined();
    expect(prompt).toHaveBeenCalledTimes(2);
  });

  test("V2-SES-14: the folder stays the one that it was", async () => {
    const log = createMemoryLog();
    const { client, sessionId } = await openAs(hello, plain(log));
    await client.result("session/close", { sessionId });
    expect(await client.error(method, { sessionId, ...place, ...params, cwd: "/other" })).toMatchObject({
      code: -32602,
      data: { sessionId, cwd: "/work" },
    });
    await client.result(method, { sessionId, ...place, ...params, cwd: "/work/" });
  });

  test("V2-SES-14: a folder of Windows is the same however a client writes its drive and its slashes", async () => {
    const log = createMemoryLog();
    const { client } = await connectAs(hello, plain(log));
    const sessionId = await client.newSession({ cwd: "C:\\work\\it" });
    await client.result("session/close", { sessionId });
    for (const cwd of ["D:\\work\\it", "C:\\Work\\it"]) {
      expect(await client.error(method, { sessionId, ...place, ...params, cwd })).toMatchObject({ code: -32602 });
    }
    await client.result(method, { sessionId, ...place, ...params, cwd: "c:/work/it/" });
  });
});

test("a log without the runtime's part of it is refused when the agent is made", () => {
  const { keep: _, ...log } = createMemoryLog();
  const handlers = { ...plain(log as SessionLog), info: clientInfo, newSession() {}, prompt() {} };
  expect(() => createAgent(handlers)).toThrow(/keepSessions/);
});

test("a log that hangs makes the turn fail instead of hang", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, sessionId } = await openAs(v1Hello, plain(watched(() => new Promise(() => undefined))));
  const id = client.prompt(sessionId);
  await client.update("usage_update");
  await vi.advanceTimersByTimeAsync(MAX_COMMIT_MS - 1);
  expect(client.received.some((frame) => frame.id === id)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await client.answer(id)).error).toMatchObject({ code: -32603 });
});

test("a choice that setConfigOption fails to make again is reported, and made by a later restore", async () => {
  const log = createMemoryLog();
  const option = (configId: string): ConfigOption => ({
    type: "select",
    configId,
    name: configId,
    currentValue: "a",
    options: ["a", "b"].map((value) => ({ value, name: value })),
  });
  const setConfigOption = vi.fn<NonNullable<AgentHandlers["setConfigOption"]>>();
  const handlers = plain(log, {
    newSession: () => ({ configOptions: [option("model"), option("effort")] }),
    setConfigOption,
  });
  const { client: first, sessionId } = await openAs(v1Hello, handlers);
  await first.result("session/set_config_option", { sessionId, configId: "model", value: "b" });
  await first.result("session/close", { sessionId });
  const restored = async () => {
    const { client, diagnostics } = await connectAs(v1Hello, handlers);
    const { configOptions } = await client.result("session/resume", { sessionId, ...place });
    const values = configOptions.map(({ currentValue }: { currentValue: string }) => currentValue).join();
    const set = (configId: string, value: string) =>
      client.result("session/set_config_option", { sessionId, configId, value });
    return { values, diagnostics, set, close: () => client.result("session/close", { sessionId }) };
  };
  const error = new TypeError("bug");
  for (let round = 0; round < 2; round += 1) {
    setConfigOption.mockRejectedValueOnce(error);
    const broken = await restored();
    expect(broken.values).toBe(round === 0 ? "a,a" : "a,b");
    expect(broken.diagnostics).toMatchObject([{ code: "listener_failed", sessionId, error }]);
    await broken.set("effort", "b");
    await broken.close();
  }
  const mended = await restored();
  expect([mended.values, mended.diagnostics]).toEqual(["b,b", []]);
  await mended.close();
  setConfigOption.mockRejectedValueOnce(error);
  const last = await restored();
  expect(last.values).toBe("a,b");
  await last.set("model", "a");
  await last.close();
  expect((await restored()).values).toBe("a,b");
});

test("a log that hangs does not keep a session from being closed, which is reported", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const log = watched((real) => real());
  const hanging: SessionLog = {
    ...log,
    open: async (id, info) => ({
      ...(await log.open(id, info)),
      [Symbol.asyncDispose]: () => new Promise(() => undefined),
    }),
  };
  const { client, sessionId, diagnostics } = await openAs(v1Hello, plain(hanging));
  client.send({ id: "close", method: "session/close", params: { sessionId } });
  await vi.advanceTimersByTimeAsync(MAX_COMMIT_MS - 1);
  expect([client.received.some(({ id }) => id === "close"), diagnostics]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect((await client.answer("close")).result).toEqual({});
  expect(diagnostics).toMatchObject([
    { code: "log_failed", sessionId, message: "The log of a session could not be closed." },
  ]);
});

test("what is too large for the log is not said", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const prompt: AgentHandlers["prompt"] = (turn) => {
    expect(() => turn.say("x".repeat(2_000))).toThrow(expect.objectContaining({ problem: "too_large" }));
    turn.say("short");
  };
  const log = createFileLog(folder, { maxRecordBytes: 1_000 });
  const { client, served, sessionId } = await openAs(v1Hello, { log, prompt });
  expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  expect(client.text).toBe("short");
  expect((await client.ask(sessionId, "y".repeat(2_000))).error).toMatchObject({ code: -32603 });
  await client.result("session/load", { sessionId, ...place });
  expect(texts(client.updates()).slice(1)).toEqual(["hi", "short"]);
  await client.close();
  await served.closed;
});

describe("what the handlers of an agent with a log do", () => {
  const mode = (currentValue: string, ...values: string[]): ConfigOption => ({
    type: "select",
    configId: "mode",
    name: "Mode",
    category: "mode",
    currentValue,
    options: values.map((value) => ({ value, name: value })),
  });

  async function chosen(options: readonly ConfigOption[], more: Partial<AgentHandlers> = {}) {
    const log = createMemoryLog();
    const begins = { log, newSession: () => ({ configOptions: [mode("ask", "ask", "code")] }) };
    const { client: first, sessionId } = await openAs(v1Hello, begins);
    await first.result("session/set_config_option", { sessionId, configId: "mode", value: "code" });
    await first.result("session/close", { sessionId });
    const setConfigOption = vi.fn();
    const again = { log, newSession: () => ({ configOptions: options }), setConfigOption, ...more };
    const { client } = await connectAs(v1Hello, again);
    const answer = await client.result("session/load", { sessionId, ...place });
    return {
      value: answer.configOptions?.[0]?.currentValue,
      reported: setConfigOption.mock.calls.map(([, ...rest]) => rest),
    };
  }

  test("V1-SESS-24: what the user chose is chosen again, and the agent told, where it still is a choice", async () => {
    expect(await chosen([mode("ask", "ask", "code")])).toEqual({ value: "code", reported: [["mode", "code"]] });
    expect(await chosen([mode("code", "ask", "code")])).toEqual({ value: "code", reported: [] });
    expect(await chosen([mode("ask", "ask", "plan")])).toEqual({ value: "ask", reported: [] });
    const setConfigOption = () => Promise.reject(RpcError.invalidParams("no"));
    expect(await chosen([mode("ask", "ask", "code")], { setConfigOption })).toEqual({ value: "ask", reported: [] });
  });

  test("restoreSession has the last word on options, and those of before where it says nothing", async () => {
    const restoreSession = () => ({ configOptions: [mode("ask", "ask", "code")] });
    expect(await chosen([], { restoreSession })).toEqual({ value: "ask", reported: [] });
    expect(await chosen([], { restoreSession: () => undefined })).toEqual({ value: "code", reported: [] });
  });

  test("restoreSession makes the data out of what was said; nothing is left for it to replay", async () => {
    const log = createMemoryLog();
    const handlers: Partial<AgentHandlers<{ asked: number }>> = {
      log,
      newSession: () => ({ data: { asked: 0 } }),
      prompt({ session, say }) {
        session.data.asked += 1;
      },
      restoreSession({ replay }, { state }) {
        expect(replay).toBe(false);
        return {
          data: { asked: [...state.timeline].filter((one) => one.type === "message" && one.role === "user").length },
        };
      },
    };
    const { client: first, sessionId } = await openAs(v1Hello, handlers);
    await first.ask(sessionId);
    await first.ask(sessionId);
    await first.result("session/close", { sessionId });
    const asked: number[] = [];
    const prompt: AgentHandlers<{ asked: number }>["prompt"] = ({ session }) => void asked.push(session.data.asked);
    const { client } = await connectAs(v1Hello, { ...handlers, prompt });
    await client.result("session/load", { sessionId, ...place });
    await client.ask(sessionId);
    expect(asked).toEqual([2]);
  });

  test("V1-SESS-33: the list is the log's, unless the agent has its own", async () => {
    const log = createMemoryLog({ pageSize: 1 });
    const { client, sessionId } = await openAs(v1Hello, plain(log));
    const session = { sessionId, cwd: "/work", title: "New" };
    await client.ask(sessionId);
    const other = await client.newSession();
    const first = await client.result("session/list");
    expect(first.sessions).toEqual([{ sessionId: other, cwd: "/work", title: "New" }]);
    const second = await client.result("session/list", { cursor: first.nextCursor });
    expect(second.sessions).toEqual([{ ...session, title: "Counting" }]);
    expect(await client.error("session/list", { cursor: "?" })).toMatchObject({ code: -32602 });
    const { client: own } = await connectAs(v1Hello, plain(log, { listSessions: () => ({ sessions: [session] }) }));
    expect(await own.result("session/list")).toEqual({ sessions: [session] });
  });

  test("V1-SESS-40: deleteSession runs before the log forgets, and may refuse", async () => {
    const log = createMemoryLog();
    const deleteSession = vi.fn<NonNullable<AgentHandlers["deleteSession"]>>();
    const { client, sessionId } = await openAs(v1Hello, plain(log, { deleteSession }));
    deleteSession.mockRejectedValueOnce(new RpcError(-32099, "not now"));
    expect(await client.error("session/delete", { sessionId })).toMatchObject({ code: -32099 });
    expect((await log.list({})).sessions).toHaveLength(1);
    deleteSession.mockRejectedValueOnce(RpcError.resourceNotFound());
    await client.result("session/delete", { sessionId });
    expect((await log.list({})).sessions).toEqual([]);
    expect(await client.error("session/load", { sessionId, ...place })).toMatchObject({ code: -32002 });
  });

  test("a session that fails to open is not kept, and one that cannot be kept does not open", async () => {
    const log = createMemoryLog();
    const newSession = vi.fn<() => void>().mockImplementationOnce(() => {
      throw RpcError.authRequired();
    });
    const { client } = await connectAs(v1Hello, { log, newSession });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32000 });
    expect((await log.list({})).sessions).toEqual([]);
    const full = { ...log, open: () => Promise.reject(new Error("disk full")) };
    const { client: other } = await connectAs(v1Hello, { log: full, newSession });
    expect(await other.error("session/new", place)).toMatchObject({ code: -32603 });
    expect(newSession).toHaveBeenCalledTimes(1);
  });

  test("V1-SESS-22: what went on when the agent died is over", async () => {
    const log = createMemoryLog();
    const hang: AgentHandlers["prompt"] = async (turn) => {
      const terminal = turn.session.terminal({ command: "make" });
      turn
        .toolCall({ title: "Build", status: "in_progress" })
        .append({ type: "terminal", terminalId: terminal.terminalId });
      terminal.write("half");
      turn.say("Wait");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    };
    const { client: first, sessionId } = await openAs(v2Hello, plain(log, { prompt: hang }));
    first.prompt(sessionId);
    await first.update("agent_message_chunk");
    await first.close();
    const { client } = await connectAs(v2Hello, plain(log));
    await vi.waitFor(() => client.result("session/resume", { sessionId, ...place, replayFrom: { type: "start" } }));
    expect(client.updates("terminal_update").at(-1)).toMatchObject({ output: { data: btoa("half") }, exitStatus: {} });
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ title: "Build", status: "cancelled" });
    expect(client.updates("state_update").at(-1)).toMatchObject({ state: "idle" });
  });
});
