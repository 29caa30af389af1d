import { describe, expect, test, vi } from "vitest";
import {
  type AgentHandlers,
  type AgentSession,
  createMemoryLog,
  keepSessions,
  RpcError,
  type SessionLog,
} from "../src/index.js";
import { all } from "./log-reader.js";
import { clientInfo, connectAs, everything, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const place = { cwd: "/work", mcpServers: [] };

/** A log that can be made unreadable. */
function breakable() {
  const log = createMemoryLog();
  const control = { broken: undefined as Error | undefined };
  const kept: SessionLog = {
    keep: keepSessions,
    open: (id, info) => log.open(id, info),
    list: (query) => log.list(query),
    delete: (id) => log.delete(id),
    async *read(id) {
      if (control.broken !== undefined) throw control.broken;
      yield* log.read(id);
    },
  };
  return { log: kept, control };
}

/** Turns that say something, wait, and say something more unless they were cancelled. */
function waiting() {
  const goOn = gate();
  const prompt: AgentHandlers["prompt"] = async (turn) => {
    turn.say("one ");
    await Promise.race([goOn.promise, new Promise((resolve) => turn.signal.addEventListener("abort", resolve))]);
    turn.say(turn.signal.aborted ? "cancelled" : "two");
  };
  return { prompt, goOn };
}

describe.each([
  ["version 1", v1Hello, "session/load", {}],
  ["version 1, resumed", v1Hello, "session/resume", {}],
  ["version 2", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
  ["seed", seedHello, "session/load", {}],
] as const)("an agent that refuses to restore an open session, %s", (name, hello, method, params) => {
  const isV2 = name === "version 2";
  const refusals = [
    ["another folder", { cwd: "/other" }, -32602],
    ["a folder that is not absolute", { cwd: "work" }, -32602],
    ["more roots than it takes", { additionalDirectories: ["/lib"] }, -32602],
    [
      "servers that it does not take",
      { mcpServers: [{ type: "http", name: "x", url: "http://x", headers: [] }] },
      -32602,
    ],
    ["a log that cannot be read", {}, -32603],
  ] as const;

  test.each(refusals)("defect B2: for %s, leaves the running turn and what follows alone", async (why, more, code) => {
    const { log, control } = breakable();
    const { prompt, goOn } = waiting();
    const closeSession = vi.fn();
    const { client, sessionId } = await openAs(hello, { log, prompt, closeSession });
    const running = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    if (why.includes("log")) control.broken = new Error("EIO");
    client.send({ id: "restore", method, params: { sessionId, ...place, ...params, ...more } });
    const behind = client.prompt(sessionId);
    expect((await client.answer("restore")).error).toMatchObject({ code });
    goOn.open();
    const answers = [await client.answer(running), await client.answer(behind)];
    if (isV2) await client.update("state_update", 3);
    for (const { error } of answers) expect(error).toBeUndefined();
    if (!isV2)
      expect(answers).toMatchObject([{ result: { stopReason: "end_turn" } }, { result: { stopReason: "end_turn" } }]);
    await vi.waitFor(() => expect(client.text).toBe("one twoone two"));
    expect(closeSession).not.toHaveBeenCalled();
    control.broken = undefined;
    expect((await client.request(method, { sessionId, ...place, ...params })).error).toBeUndefined();
    expect(closeSession).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["with a log", true],
    ["without one", false],
  ])("defect B2: by its handler, %s, goes on with the session, its data and what came behind", async (_, hasLog) => {
    const refuse = vi.fn(() => {
      throw RpcError.invalidRequest("not now");
    });
    const prompt: AgentHandlers["prompt"] = (turn) => void turn.say(`${(turn.session as { data?: unknown }).data} `);
    const handlers = { newSession: () => ({ data: "data" }) as never, prompt, restoreSession: refuse };
    const { client, sessionId } = await openAs(hello, { ...handlers, ...(hasLog && { log: createMemoryLog() }) });
    client.send({ id: "one", method, params: { sessionId, ...place, ...params } });
    client.send({ id: "two", method, params: { sessionId, ...place, ...params } });
    const behind = client.prompt(sessionId);
    expect((await client.answer("one")).error).toMatchObject({ code: -32600 });
    expect((await client.answer("two")).error).toMatchObject({ code: -32600 });
    expect((await client.answer(behind)).error).toBeUndefined();
    expect((await client.ask(sessionId)).error).toBeUndefined();
    await vi.waitFor(() => expect(client.text.endsWith("data data ")).toBe(true));
    expect(refuse).toHaveBeenCalledTimes(2);
    expect(await client.result("session/close", { sessionId })).toEqual({});
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002 });
  });

  test("defect B2: a cancel reaches the turn that was running, and the prompt behind the restore", async () => {
    const { log, control } = breakable();
    const { prompt } = waiting();
    const { client, sessionId } = await openAs(hello, { log, prompt });
    const running = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    control.broken = new Error("EIO");
    client.send({ id: "restore", method, params: { sessionId, ...place, ...params } });
    const behind = client.prompt(sessionId);
    client.notify("session/cancel", { sessionId });
    expect((await client.answer("restore")).error).toBeDefined();
    const answers = [await client.answer(running), await client.answer(behind)];
    if (!isV2)
      expect(answers).toMatchObject([{ result: { stopReason: "cancelled" } }, { result: { stopReason: "cancelled" } }]);
    else expect(answers[1]?.error).toMatchObject({ code: -32800 });
    await vi.waitFor(() => expect(client.text).toBe("one cancelled"));
  });

  test.each([
    ["open", true, true],
    ["open, by newSession", true, false],
    ["stored", false, true],
    ["stored, by newSession", false, false],
  ])("defect B2: stores and sends nothing of the handler that refuses a session that is %s", async (_, isOpen, own) => {
    const log = createMemoryLog();
    let step: "make" | "refuse" | "restore" = "make";
    const setUp = (_request: unknown, session: AgentSession): undefined => {
      if (step === "make") return;
      session.setTitle(step);
      session.setCommands([{ type: "command", name: step, description: step }]);
      session.emit({ type: "agent_message", messageId: step, content: [{ type: "text", text: step }] });
      if (step === "refuse") throw RpcError.internalError("refused");
    };
    const handlers: Partial<AgentHandlers> = { log, newSession: setUp, ...(own && { restoreSession: setUp }) };
    const stored = async () => (await all(log.read(sessionId))).map((event) => JSON.stringify(event));
    const { client: first, sessionId } = await openAs(hello, handlers);
    await first.ask(sessionId);
    if (isV2) await first.update("state_update", 1);
    if (!isOpen) await first.result("session/close", { sessionId });
    const { client } = isOpen ? { client: first } : await connectAs(hello, handlers);
    step = "refuse";
    const before = await stored();
    const error = await client.error(method, { sessionId, ...place, ...params });
    expect(error).toMatchObject({ code: -32603 });
    if (isOpen) await client.ask(sessionId);
    expect(JSON.stringify(client.updates())).not.toContain("refuse");
    expect((await stored()).slice(0, before.length)).toEqual(before);
    expect((await stored()).join()).not.toContain("refuse");
    step = "restore";
    await client.result(method, { sessionId, ...place, ...params });
    expect(JSON.stringify(client.updates())).not.toContain("refuse");
    expect(client.updates("available_commands_update").length).toBeGreaterThan(0);
    await client.result("session/close", { sessionId });
    expect((await stored()).join()).toContain('"restore"');
    expect((await stored()).join()).not.toContain("refuse");
    if (own) expect(client.updates().find(({ title }) => title === "restore")).toBeDefined();
  });

  test("defect B2: with a log, has the end of the turn that a restore cancels, and stores what follows", async () => {
    const { prompt } = waiting();
    const log = createMemoryLog();
    const { client, sessionId } = await openAs(hello, { log, prompt });
    client.prompt(sessionId);
    await client.update("agent_message_chunk");
    for (let round = 0; round < 3; round++) await client.result(method, { sessionId, ...place, ...params });
    client.send({ id: "last", method: "session/close", params: { sessionId } });
    await client.answer("last");
    const types: string[] = [];
    for await (const { type } of log.read(sessionId)) types.push(type);
    expect(types.filter((type) => type === "turn_ended")).toHaveLength(1);
    await client.result(method, { sessionId, ...place, ...params });
  });
});

describe.each([
  ["version 1", v1Hello, "session/load", {}],
  ["version 2", v2Hello, "session/resume", { replayFrom: { type: "start" } }],
  ["seed", seedHello, "session/load", {}],
] as const)("what a restore handler says about an open session, %s", (_, hello, method, params) => {
  const open = async (withLog: boolean, restoreSession: NonNullable<AgentHandlers["restoreSession"]>) => {
    const prompt: AgentHandlers["prompt"] = (turn) => void turn.say("one");
    const log = withLog ? { log: createMemoryLog() } : {};
    const opened = await openAs(hello, { ...log, prompt, restoreSession });
    const { client, sessionId } = opened;
    await client.ask(sessionId);
    await client.update("agent_message_chunk");
    if (hello === v2Hello) await client.update("state_update", 1);
    const restore = async () => {
      const from = client.received.length;
      const answer = await client.request(method, { sessionId, ...place, ...params });
      return { answer, updates: client.received.slice(from, client.received.indexOf(answer)) };
    };
    return { ...opened, restore };
  };

  test.each([true, false])("defect B2: is not sent if it fails, with a log: %s", async (withLog) => {
    const { client, restore, sessionId } = await open(withLog, (_request, session) => {
      session.emit({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "leak" } });
      session.setTitle("leak");
      throw new RpcError(-32603, "no");
    });
    const { answer, updates } = await restore();
    expect(answer.error).toMatchObject({ code: -32603 });
    expect(updates).toEqual([]);
    expect((await client.ask(sessionId, "again")).error).toBeUndefined();
    expect(JSON.stringify(client.received)).not.toContain("leak");
  });

  test.each([true, false])("precedes the answer if it succeeds, of any length, with a log: %s", async (withLog) => {
    for (const count of [2, 1_500]) {
      const { restore } = await open(withLog, (_request, session) => {
        for (let index = 0; index < count; index += 1) {
          session.emit({ type: "agent_message_chunk", messageId: "m", content: { type: "text", text: `${index};` } });
        }
      });
      const { answer, updates } = await restore();
      expect(answer.error).toBeUndefined();
      const texts = updates.map(({ params }) => params.update.content?.text ?? "").filter((text) => text.includes(";"));
      expect(texts.join("")).toBe(Array.from({ length: count }, (_, index) => `${index};`).join(""));
    }
  });
});
