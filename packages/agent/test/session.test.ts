import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type AgentSession, MAX_HELD_UPDATES, RpcError, type Turn } from "../src/index.js";
import { aborted, connect, gate, open, serve } from "./raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const command = { type: "command", name: "test", description: "Runs tests" } as const;

describe("session/new", () => {
  test("V1-SESS-04: its answer precedes the updates that were emitted inside the handler", async () => {
    const { client } = await connect({
      async newSession(_, session) {
        session.setTitle("one");
        await setImmediate();
        session.emit({ type: "agent_message_chunk", content: { type: "text", text: "two" } });
      },
    });
    const answer = await client.request("session/new", place);
    await client.update("agent_message_chunk");
    expect(client.story.slice(1)).toEqual([`#${answer.id}`, "session_info_update", "two"]);
    expect(client.received.at(-1)?.params.sessionId).toBe(answer.result.sessionId);
  });

  test("what is held shows in the state at once, and asks for no room", async () => {
    let seen: unknown[] = [];
    await open({
      newSession(_, session) {
        const rooms = [
          session.setTitle("here"),
          session.setCommands([command]),
          session.reportUsage({ used: 1, size: 2 }),
        ];
        seen = [session.state.title, session.state.availableCommands, session.state.usage, ...rooms];
      },
    });
    expect(seen).toEqual(["here", [command], { used: 1, size: 2 }, undefined, undefined, undefined]);
  });

  test("updates before the answer are bounded by number, and the session fails to open", async () => {
    const signals: AbortSignal[] = [];
    const { client } = await connect({
      newSession(_, session) {
        signals.push(session.signal);
        for (let n = 0; n <= MAX_HELD_UPDATES; n++) session.setTitle(String(n));
      },
    });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
    expect(client.updates()).toEqual([]);
    expect(signals[0]?.aborted).toBe(true);
  });

  test("updates before the answer are bounded by size", async () => {
    const { client } = await connect({
      newSession(_, session) {
        const content = { type: "text", text: "x".repeat(1024 * 1024) } as const;
        for (let n = 0; n < 5; n++) session.emit({ type: "agent_message_chunk", content });
      },
    });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
  });

  test("a handler that fails or throws at once answers with its error; what it still says goes nowhere", async () => {
    const sessions: AgentSession[] = [];
    const newSession = vi.fn<(request: unknown, session: AgentSession) => undefined>((_, session) => {
      sessions.push(session);
      session.setTitle("held");
      throw new RpcError(-32010, "Full.");
    });
    const closeSession = vi.fn();
    const { client } = await connect({ newSession, closeSession });
    expect(await client.error("session/new", place)).toEqual({ code: -32010, message: "Full." });
    sessions[0]?.setTitle("late");
    expect(await client.error("session/prompt", { sessionId: sessions[0]?.id, prompt: [] })).toMatchObject({
      code: -32002,
    });
    expect(client.updates()).toEqual([]);
    expect(closeSession).not.toHaveBeenCalled();
  });

  test("V1-SESS-06 V1-SESS-08 V1-SESS-14: the handler gets the place", async () => {
    const stdio = { name: "notes", command: "/bin/notes", args: ["--x"], env: [{ name: "A", value: "1" }] };
    const http = { type: "http", name: "web", url: "https://mcp.example.test", headers: [] };
    const seen: unknown[] = [];
    const { client } = await connect({
      sessionCapabilities: { additionalDirectories: true },
      mcpCapabilities: { http: true },
      newSession: (_, { cwd, roots, mcpServers }) => void seen.push(cwd, roots, mcpServers),
    });
    await client.newSession({ additionalDirectories: ["/lib"], mcpServers: [stdio, http] });
    expect(seen).toEqual(["/work", ["/work", "/lib"], [{ ...stdio, type: "stdio" }, http]]);
  });

  test("V1-SESS-15: servers over stdio are taken without being offered, as they were sent, new and restored", async () => {
    const stdio = {
      name: "notes",
      command: "/opt/tools/notes",
      args: ["--root", "/work"],
      env: [{ name: "A", value: "1" }],
    };
    const seen: unknown[] = [];
    const { client } = await connect({
      newSession: (_, { mcpServers }) => void seen.push(mcpServers),
      restoreSession: (_, { mcpServers }) => void seen.push(mcpServers),
    });
    await client.newSession({ mcpServers: [stdio] });
    await client.result("session/load", { sessionId: "old", ...place, mcpServers: [stdio] });
    expect(seen).toEqual([[{ ...stdio, type: "stdio" }], [{ ...stdio, type: "stdio" }]]);
  });

  test.each([
    ["V1-SESS-01 no mcpServers", { mcpServers: undefined }],
    ["V1-SESS-06 a relative cwd", { cwd: "work" }],
    ["V1-SESS-10 a relative root", { additionalDirectories: ["lib"] }],
    ["V1-SESS-10 an empty root", { additionalDirectories: [""] }],
    ["V1-SESS-16 a server over sse", { mcpServers: [{ type: "sse", name: "s", url: "https://x.test", headers: [] }] }],
    ["V1-SESS-18 a broken server", { mcpServers: [{ name: "s" }] }],
  ])("%s: -32602, and no handler runs", async (_, change) => {
    const newSession = vi.fn(() => undefined);
    const { client } = await connect({ sessionCapabilities: { additionalDirectories: true }, newSession });
    expect(await client.error("session/new", { ...place, ...change })).toMatchObject({ code: -32602 });
    expect(newSession).not.toHaveBeenCalled();
  });

  test("V1-SESS-07: roots that were not offered are refused, not dropped", async () => {
    const { client } = await connect({});
    const params = { ...place, additionalDirectories: ["/lib"] };
    expect(await client.error("session/new", params)).toMatchObject({ code: -32602 });
    expect(await client.newSession({ additionalDirectories: [] })).toBeTypeOf("string");
    expect(await client.newSession({ cwd: "C:\\work" })).toBeTypeOf("string");
  });

  test("V1-SESS-02 V1-SESS-03: sessions have ids of their own, data of their own", async () => {
    const said: unknown[] = [];
    const { client } = await connect<{ n: number }>({
      newSession: (_, session) => ({ data: { n: session.id.length } }),
      prompt: ({ session }) => void said.push(session.data.n),
    });
    const ids = [await client.newSession(), await client.newSession()];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) await client.ask(id);
    expect(said).toEqual(ids.map(({ length }) => length));
  });

  test("V1-SLASH-01: commands of the setup follow the answer", async () => {
    const { client } = await connect({ newSession: () => ({ availableCommands: [command] }) });
    const answer = await client.request("session/new", place);
    expect(answer.result).not.toHaveProperty("availableCommands");
    const { availableCommands } = await client.update("available_commands_update");
    expect(availableCommands).toEqual([{ name: "test", description: "Runs tests" }]);
    expect(client.story.slice(1)).toEqual([`#${answer.id}`, "available_commands_update"]);
  });
});

describe("session/load and session/resume", () => {
  const message = { type: "agent_message_chunk", content: { type: "text", text: "said before" } } as const;

  test("V1-SESS-20 V1-SESS-24: the replay precedes the answer of load", async () => {
    const { client } = await connect({
      async restoreSession({ replay, sessionId }, session) {
        expect(session.id).toBe(sessionId);
        if (!replay) return;
        session.emit({ type: "user_message_chunk", content: { type: "text", text: "asked before" } });
        await setImmediate();
        session.emit(message);
      },
    });
    const answer = await client.request("session/load", { sessionId: "s-0", ...place });
    expect(answer.result).toEqual({});
    expect(client.story.slice(1)).toEqual(["asked before", "said before", `#${answer.id}`]);
    expect((await client.ask("s-0")).result).toEqual({ stopReason: "end_turn" });
  });

  test("V1-SESS-26 V1-SESS-27: resume asks for no replay, and its servers may be left out", async () => {
    const seen: unknown[] = [];
    const { client } = await connect({
      restoreSession: ({ replay }, session) => void seen.push(replay, session.mcpServers),
    });
    expect(await client.result("session/resume", { sessionId: "s-0", cwd: "/work" })).toEqual({});
    expect(seen).toEqual([false, []]);
    expect(await client.error("session/load", { sessionId: "s-0", cwd: "/work" })).toMatchObject({ code: -32602 });
  });

  test("V1-SESS-24 V1-SESS-25: options, modes and models are on the answer, commands follow it", async () => {
    const option = { configId: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask" } as const;
    const options = [{ value: "ask", name: "Ask" }];
    const { client } = await connect({
      restoreSession: () => ({ configOptions: [{ ...option, options }], availableCommands: [command] }),
    });
    const { id, result } = await client.request("session/resume", { sessionId: "s-0", cwd: "/work" });
    expect(result).toEqual({
      modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
      configOptions: [{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask", options }],
    });
    await client.update("available_commands_update");
    expect(client.story.slice(1)).toEqual([`#${id}`, "available_commands_update"]);
  });

  test("V1-SESS-24 V1-SESS-42: what the handler does not find is -32002, and stays unknown", async () => {
    const { client } = await connect({
      restoreSession: ({ sessionId }) => Promise.reject(RpcError.resourceNotFound({ sessionId })),
    });
    const notFound = { code: -32002, message: "Resource not found: s-9", data: { sessionId: "s-9" } };
    expect(await client.error("session/load", { sessionId: "s-9", ...place })).toEqual(notFound);
    expect((await client.ask("s-9")).error).toEqual(notFound);
  });

  test("what is asked right behind a restore waits for it", async () => {
    const restored = gate();
    const { client } = await connect({
      restoreSession: () => restored.promise,
      prompt: (turn) => turn.say("after"),
    });
    client.send({ id: "load", method: "session/load", params: { sessionId: "s-0", ...place } });
    const prompt = client.prompt("s-0");
    await setImmediate();
    expect(client.received).toHaveLength(1);
    restored.open();
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "end_turn" });
    expect(client.story.slice(1)).toEqual(["#load", "after", `#${prompt}`]);
  });

  test("what is asked right behind a restore that fails is -32002", async () => {
    const { client } = await connect({ restoreSession: () => Promise.reject(new Error("corrupt")) });
    client.send({ id: "load", method: "session/load", params: { sessionId: "s-0", ...place } });
    const prompt = client.prompt("s-0");
    const set = client.request("session/set_mode", { sessionId: "s-0", modeId: "x" });
    expect((await client.answer("load")).error).toMatchObject({ code: -32603 });
    expect((await client.answer(prompt)).error).toMatchObject({ code: -32002 });
    expect((await set).error).toMatchObject({ code: -32002 });
  });

  test("a session that is open is ended before it is restored", async () => {
    const story: string[] = [];
    const { client } = await connect<string>({
      newSession: () => ({ data: "new" }),
      async prompt({ session, signal }) {
        story.push(`${session.data} runs`);
        if (session.data === "new") await aborted(signal);
        story.push(`${session.data} stops`);
      },
      closeSession: ({ data }) => void story.push(`${data} closed`),
      restoreSession: () => {
        story.push("restored");
        return { data: "restored" };
      },
    });
    const sessionId = await client.newSession();
    const first = client.prompt(sessionId);
    client.send({ id: "load", method: "session/load", params: { sessionId, ...place } });
    const second = client.prompt(sessionId);
    expect((await client.answer(second)).result).toEqual({ stopReason: "end_turn" });
    expect((await client.answer(first)).result).toEqual({ stopReason: "cancelled" });
    expect(client.story.slice(2)).toEqual([`#${first}`, "#load", `#${second}`]);
    expect(story.slice(-4)).toEqual(["new closed", "restored", "restored runs", "restored stops"]);
  });

  test("a restore that failed left nothing to clean up for the one behind it", async () => {
    const closeSession = vi.fn();
    const restoreSession = vi.fn(() => Promise.reject(new Error("locked")));
    const { client } = await connect({ closeSession, restoreSession });
    const params = { sessionId: "s-0", ...place };
    const both = [client.request("session/load", params), client.request("session/load", params)];
    for (const answer of await Promise.all(both)) expect(answer.error).toMatchObject({ code: -32603 });
    expect(restoreSession).toHaveBeenCalledTimes(2);
    expect(closeSession).not.toHaveBeenCalled();
  });

  test("two restores of one session run one after the other", async () => {
    const story: string[] = [];
    const { client } = await connect({
      async restoreSession(_, session) {
        story.push("begin");
        await setImmediate();
        story.push("end");
        session.emit(message);
      },
      closeSession: () => void story.push("closed"),
    });
    const params = { sessionId: "s-0", ...place };
    await Promise.all([client.request("session/load", params), client.request("session/load", params)]);
    expect(story).toEqual(["begin", "end", "closed", "begin", "end"]);
    expect(client.updates()).toHaveLength(2);
    expect((await client.ask("s-0")).result).toEqual({ stopReason: "end_turn" });
  });
});

describe("session/close", () => {
  test("V1-SESS-35 V1-SESS-36: during a turn: updates, the cancelled prompt, then its own answer", async () => {
    const story: string[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("running");
        await aborted(turn.signal);
        expect(turn.session.signal.aborted).toBe(false);
        turn.say("last words");
      },
      closeSession: (session) => void story.push(`closed ${session.signal.aborted}`),
    });
    const prompt = client.prompt(sessionId);
    const waiting = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    const { id, result } = await client.request("session/close", { sessionId });
    expect(result).toEqual({});
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    expect((await client.answer(waiting)).result).toEqual({ stopReason: "cancelled" });
    expect(client.story.filter((word) => word !== `#${waiting}`).slice(2)).toEqual([
      "running",
      "last words",
      `#${prompt}`,
      `#${id}`,
    ]);
    expect(story).toEqual(["closed true"]);
  });

  test("V1-SESS-37: what comes after it finds no session, at once", async () => {
    const prompt = vi.fn();
    const { client, sessionId } = await open({ prompt, closeSession: () => setImmediate() });
    const closed = client.request("session/close", { sessionId });
    const again = client.request("session/close", { sessionId });
    const late = [client.prompt(sessionId), client.prompt(sessionId)];
    expect((await closed).result).toEqual({});
    for (const id of late) expect((await client.answer(id)).error).toMatchObject({ code: -32002 });
    expect((await again).error).toMatchObject({ code: -32002 });
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002 });
    expect(prompt).not.toHaveBeenCalled();
  });

  test.each([
    ["session/close", {}],
    ["session/load", place],
  ])(
    "V1-SESS-35: %s cancels at receipt, whatever it has to wait for, and only what came before",
    async (method, more) => {
      const chosen = gate();
      let restored = false;
      const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;
      const { client, sessionId } = await open({
        newSession: () => ({ configOptions: [option] }),
        restoreSession() {
          restored = true;
        },
        setConfigOption: () => chosen.promise,
        async prompt(turn) {
          turn.say("running");
          if (!restored) await aborted(turn.signal);
        },
      });
      const running = client.prompt(sessionId);
      await client.update("agent_message_chunk");
      const set = { sessionId, configId: "fast", type: "boolean", value: true };
      client.send(
        { id: "set", method: "session/set_config_option", params: set },
        { id: "waits", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "hi" }] } },
        { id: "end", method, params: { sessionId, ...more } },
      );
      const late = client.prompt(sessionId);
      expect((await client.answer("waits")).result).toEqual({ stopReason: "cancelled" });
      expect((await client.answer(running)).result).toEqual({ stopReason: "cancelled" });
      expect(client.story).not.toContain("#end");
      chosen.open();
      expect((await client.answer("end")).result).toEqual({});
      const answer = await client.answer(late);
      if (method === "session/close") expect(answer.error).toMatchObject({ code: -32002 });
      else expect(answer.result).toEqual({ stopReason: "end_turn" });
    },
  );

  test("a clean-up that fails is reported; the session is closed all the same", async () => {
    const { client, sessionId, diagnostics } = await open({
      closeSession() {
        throw new Error("disk full");
      },
    });
    expect(await client.result("session/close", { sessionId })).toEqual({});
    expect(diagnostics).toMatchObject([{ code: "listener_failed", sessionId }]);
  });

  test("afterwards the session says nothing", async () => {
    let session: AgentSession | undefined;
    const { client, sessionId } = await open({
      newSession: (_, opened) => {
        session = opened;
      },
    });
    await client.result("session/close", { sessionId });
    session?.setTitle("late");
    expect(await client.newSession()).toBeTypeOf("string");
    expect(client.updates()).toEqual([]);
  });
});

describe("updates outside turns", () => {
  test("V1-PROMPT-17 V1-UPD-26 V1-UPD-29: title, usage, commands", async () => {
    let session: AgentSession | undefined;
    const { client } = await open({
      newSession: (_, opened) => {
        session = opened;
      },
    });
    session?.setTitle("Fix parser");
    session?.setTitle(null);
    session?.reportUsage({ used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
    session?.setCommands([{ ...command, input: { type: "text", hint: "suite" } }]);
    await client.update("available_commands_update");
    expect(client.updates()).toEqual([
      { sessionUpdate: "session_info_update", title: "Fix parser" },
      { sessionUpdate: "session_info_update", title: null },
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "test", description: "Runs tests", input: { hint: "suite" } }],
      },
    ]);
  });

  test("V1-UPD-33 V1-INIT-10: what the client cannot take is a loss, also when the hook throws", async () => {
    const losses: unknown[] = [];
    let session: AgentSession | undefined;
    const { client, sessionId, diagnostics } = await open(
      {
        newSession: (_, opened) => {
          session = opened;
        },
      },
      {
        capabilities: {},
        onLoss(loss, id) {
          losses.push([loss.id, id]);
          throw new Error("broken hook");
        },
      },
    );
    session?.emit({ type: "notice", severity: "info", title: "Hello" });
    session?.setTitle("next");
    await client.update("session_info_update");
    expect(client.updates()).toHaveLength(1);
    expect(losses).toEqual([["notice", sessionId]]);
    const error = expect.objectContaining({ message: "broken hook" });
    expect(diagnostics).toEqual([{ code: "listener_failed", message: "onLoss failed: broken hook", sessionId, error }]);
  });
});

describe("isolation", () => {
  test("V1-SESS-42: a session is unknown to another connection of the same agent", async () => {
    const handlers = { prompt: (turn: Turn) => turn.say("mine") };
    const one = await open(handlers);
    const two = await open(handlers);
    const { sessionId } = one;
    for (const [method, params] of [
      ["session/prompt", { prompt: [{ type: "text", text: "hi" }] }],
      ["session/close", {}],
      ["session/set_mode", { modeId: "x" }],
      ["session/set_config_option", { configId: "x", value: "y" }],
    ] as const) {
      expect(await two.client.error(method, { sessionId, ...params })).toEqual({
        code: -32002,
        message: `Resource not found: ${sessionId}`,
        data: { sessionId },
      });
    }
    two.client.cancel(sessionId);
    await two.client.close();
    expect((await one.client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(one.client.text).toBe("mine");
  });

  test("the end of one connection leaves the other alone", async () => {
    const running = gate();
    const handlers = {
      async prompt(turn: Turn) {
        await Promise.race([running.promise, aborted(turn.signal)]);
        turn.say(turn.signal.aborted ? "cancelled" : "finished");
      },
    };
    const one = await open(handlers);
    const two = await open(handlers);
    const prompt = one.client.prompt(one.sessionId);
    two.client.prompt(two.sessionId);
    await two.client.close();
    await two.served.closed;
    running.open();
    expect((await one.client.answer(prompt)).result).toEqual({ stopReason: "end_turn" });
    expect(one.client.text).toBe("finished");
  });
});

test("an answer that cannot be written is an error, and the connection lives on", async () => {
  const { client } = serve({
    extensions: {
      "_test/ok": () => ({ ok: true }),
      "_test/nothing": () => undefined,
    },
  });
  await client.initialize();
  expect(await client.result("_test/nothing")).toEqual({});
  expect(await client.result("_test/ok")).toEqual({ ok: true });
});

test("an event is taken as it is when it is said: its object may be used again", async () => {
  const keys: unknown[] = [];
  const { client, sessionId } = await open({
    prompt({ session }) {
      const piece = { type: "agent_message_chunk", messageId: "one", content: { type: "text", text: "x" } } as const;
      const reused: { -readonly [K in keyof typeof piece]: unknown } = { ...piece };
      for (const messageId of ["one", "two"]) session.emit(Object.assign(reused, { messageId }) as typeof piece);
      keys.push(...session.state.timeline.toArray().map(({ key }) => key));
    },
  });
  await client.ask(sessionId);
  expect(keys.slice(1)).toEqual(["agent:one", "agent:two"]);
});
