import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type AgentHandlers, type AgentSession, MAX_HELD_UPDATES, RpcError } from "../../src/index.js";
import { aborted, connectAs, type Frame, openAs, v2Hello } from "../raw-client.js";

const open = (handlers: Partial<AgentHandlers>) => openAs(v2Hello, handlers);
const connect = (handlers: Partial<AgentHandlers>) => connectAs(v2Hello, handlers);

const place = { cwd: "/work" };
const command = { type: "command", name: "test", description: "Runs tests" } as const;
const terse = { type: "boolean", configId: "terse", name: "Terse", currentValue: false } as const;
const mode = {
  type: "select",
  configId: "mode",
  category: "mode",
  name: "Mode",
  currentValue: "ask",
  options: [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ],
} as const;

describe("session/new of version 2", () => {
  test("V2-SES-01 V2-SES-04: the answer holds options and commands, and no update repeats them", async () => {
    const { client } = await connect({
      newSession: (_, session) => {
        session.setTitle("held");
        return { configOptions: [terse], availableCommands: [command] };
      },
    });
    const answer = await client.request("session/new", place);
    expect(answer.result).toEqual({
      sessionId: expect.any(String),
      configOptions: [terse],
      availableCommands: [command],
    });
    await client.update("session_info_update");
    expect(client.story.slice(1)).toEqual([`#${answer.id}`, "session_info_update"]);
  });

  test("updates before the answer are bounded", async () => {
    const { client } = await connect({
      newSession(_, session) {
        for (let n = 0; n <= MAX_HELD_UPDATES; n++) session.setTitle(String(n));
      },
    });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32603 });
  });

  test("V2-SES-05 V2-SES-06 V2-MCP-01: the handler gets the place", async () => {
    const seen: unknown[] = [];
    const { client } = await connect({
      sessionCapabilities: { additionalDirectories: true },
      newSession: (_, { roots, mcpServers }) => void seen.push(roots, mcpServers),
    });
    const stdio = { type: "stdio", name: "notes", command: "/bin/notes" };
    await client.result("session/new", { ...place, additionalDirectories: ["/lib"], mcpServers: [stdio] });
    expect(seen).toEqual([["/work", "/lib"], [stdio]]);
  });

  test.each([
    ["V2-SES-06 roots that were not offered", { additionalDirectories: ["/lib"] }],
    ["V2-MCP-02 a server over http", { mcpServers: [{ type: "http", name: "w", url: "https://x.test" }] }],
    ["V2-MCP-02 a server over sse", { mcpServers: [{ type: "sse", name: "s", url: "https://x.test" }] }],
    ["V2-MCP-02 an unknown server", { mcpServers: [{ type: "pigeon", name: "p" }] }],
    ["V2-SES-05 a relative cwd", { cwd: "work" }],
  ])("%s: -32602, and no handler runs", async (_, change) => {
    const newSession = vi.fn(() => undefined);
    const { client } = await connect({ newSession });
    expect(await client.error("session/new", { ...place, ...change })).toMatchObject({ code: -32602 });
    expect(newSession).not.toHaveBeenCalled();
  });

  test("V2-MCP-02: a server over sse is refused although version 1 may have it", async () => {
    const { client } = await connect({ mcpCapabilities: { sse: true } });
    const mcpServers = [{ type: "sse", name: "s", url: "https://x.test" }];
    expect(await client.error("session/new", { ...place, mcpServers })).toMatchObject({ code: -32602 });
  });

  test.each([
    ["session/new", {}],
    ["session/resume", { sessionId: "s-1" }],
  ])("V2-MCP-03: two servers of one name are -32602 in %s, and the name is told", async (method, more) => {
    const handler = vi.fn(() => undefined);
    const { client } = await connect({ newSession: handler, restoreSession: handler });
    const server = (name: string) => ({ type: "stdio", name, command: `/bin/${name}` });
    const params = { ...place, ...more, mcpServers: ["notes", "web", "notes"].map(server) };
    expect(await client.error(method, params)).toMatchObject({ code: -32602, data: { name: "notes" } });
    expect(handler).not.toHaveBeenCalled();
    await client.result(method, { ...params, mcpServers: ["notes", "web"].map(server) });
  });

  test("V2-MCP-03: a list of very many servers costs no more than to read it", async () => {
    const { client } = await connect({});
    const mcpServers = Array.from({ length: 150_000 }, (_, n) => ({ type: "stdio", name: `s${n}`, command: "/a" }));
    await client.result("session/new", { ...place, mcpServers });
  });

  test("V2-SES-02: each session has an id of its own, and everything about it names it", async () => {
    const { client } = await connect({
      async prompt(turn) {
        turn.say("hi");
        await turn.requestPermission({ title: "Go?", options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] });
        await turn.elicit({ mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } });
      },
    });
    const ids = [await client.newSession(), await client.newSession()];
    expect(new Set(ids).size).toBe(2);
    for (const [n, sessionId] of ids.entries()) {
      const before = client.received.length;
      await client.ask(sessionId);
      client.reply(await client.call("session/request_permission", n), { outcome: { outcome: "cancelled" } });
      client.reply(await client.call("elicitation/create", n), { action: "decline" });
      await client.next(() => client.updates("state_update").filter(({ state }) => state === "idle").length > n);
      const named = client.received.slice(before).flatMap(({ params }) => (params ? [params.sessionId] : []));
      expect(named.length).toBeGreaterThan(6);
      expect(new Set(named)).toEqual(new Set([sessionId]));
    }
  });

  test("version 1's methods do not exist", async () => {
    const { client, sessionId } = await open({ restoreSession: () => undefined });
    for (const method of ["session/load", "session/set_mode", "authenticate", "logout"]) {
      expect(await client.error(method, { sessionId })).toMatchObject({ code: -32601 });
    }
  });
});

describe("session/resume of version 2", () => {
  const handlers: Partial<AgentHandlers> = {
    restoreSession: ({ replay }, session) => {
      if (replay) {
        const content = [{ type: "text", text: "before" }] as const;
        session.emit({ type: "user_message", messageId: "u-1", content });
      }
      return { configOptions: [terse], availableCommands: [command] };
    },
  };

  test("V2-SES-08 V2-SES-10 V2-SES-12 P-REPLAY-01 P-REPLAY-09: replay, marker, snapshot, answer", async () => {
    const { client } = await connect(handlers);
    const params = { sessionId: "s-1", ...place, replayFrom: { type: "start" } };
    const answer = await client.request("session/resume", params);
    expect(answer.result).toEqual({ configOptions: [terse], availableCommands: [command] });
    expect(client.updates()).toEqual([
      { sessionUpdate: "user_message", messageId: "u-1", content: [{ type: "text", text: "before" }] },
      { sessionUpdate: "replay_complete" },
      { sessionUpdate: "state_update", state: "idle" },
    ]);
    expect(client.story.at(-1)).toBe(`#${answer.id}`);
    expect((await client.ask("s-1")).result).toHaveProperty("messageId");
  });

  test.each([undefined, null])(
    "V2-SES-08 V2-SES-10 P-REPLAY-02: replayFrom %s: the snapshot only, and no marker",
    async (replayFrom) => {
      const { client } = await connect(handlers);
      await client.result("session/resume", { sessionId: "s-1", ...place, replayFrom });
      expect(client.updates()).toEqual([{ sessionUpdate: "state_update", state: "idle" }]);
    },
  );

  test.each([{ type: "message", messageId: "u" }, "start", {}])(
    "V2-SES-09: cursor %j is -32602",
    async (replayFrom) => {
      const restoreSession = vi.fn();
      const { client } = await connect({ restoreSession });
      const params = { sessionId: "s-1", ...place, replayFrom };
      expect(await client.error("session/resume", params)).toMatchObject({ code: -32602 });
      expect(restoreSession).not.toHaveBeenCalled();
    },
  );

  test("V2-SES-24: one that does not exist, and an agent that restores nothing", async () => {
    const none = (await connect({})).client;
    const gone = { code: -32002, data: { sessionId: "s-1" } };
    expect(await none.error("session/resume", { sessionId: "s-1", ...place })).toMatchObject(gone);
    const { client } = await connect({
      restoreSession({ sessionId }) {
        throw RpcError.resourceNotFound({ sessionId });
      },
    });
    expect(await client.error("session/resume", { sessionId: "s-1", ...place })).toMatchObject(gone);
    expect(client.updates()).toEqual([]);
  });

  test("an open session is ended first: its turn is idle as cancelled before the replay", async () => {
    const { client, sessionId } = await open({ ...handlers, prompt: (turn) => aborted(turn.signal) });
    await client.ask(sessionId);
    await client.result("session/resume", { sessionId, ...place });
    expect(client.updates("state_update").map(({ state, stopReason }) => stopReason ?? state)).toEqual([
      "running",
      "cancelled",
      "idle",
    ]);
  });
});

describe("session/close of version 2", () => {
  test("V2-SES-15 V2-SES-16 V2-SES-17 V2-SES-19: ends the turn, withdraws questions, then says nothing", async () => {
    const sessions: AgentSession[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        sessions.push(turn.session);
        await turn.requestPermission({ title: "Go?", options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] });
        turn.say("bye");
      },
    });
    await client.ask(sessionId);
    const held = client.prompt(sessionId, "held");
    const close = await client.request("session/close", { sessionId });
    expect(close.result).toEqual({});
    expect((await client.answer(held)).error).toMatchObject({ code: -32800 });
    sessions[0]?.setTitle("late");
    sessions[0]?.setBackground([]);
    await setImmediate();
    expect(client.story.filter((word) => word !== `#${held}`).slice(-4)).toEqual([
      "$/cancel_request",
      "bye",
      "state_update",
      `#${close.id}`,
    ]);
    expect(client.updates("state_update").at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
  });

  test("V2-SES-15 V2-SES-18: an idle session needs no idle; an unknown one is closed already", async () => {
    const { client, sessionId } = await open({});
    expect(await client.result("session/close", { sessionId })).toEqual({});
    expect(await client.result("session/close", { sessionId })).toEqual({});
    expect(client.updates()).toEqual([]);
    expect((await client.ask(sessionId)).error).toMatchObject({ code: -32002 });
  });
});

describe.each([2, 1])("session/list and session/delete of version %i", (protocolVersion) => {
  const hello = { ...v2Hello, protocolVersion, clientInfo: v2Hello.info };

  test("V2-SES-20 V2-SES-22: the handler's page", async () => {
    const seen: unknown[] = [];
    const { client } = await connectAs(hello, {
      listSessions(request) {
        seen.push(request);
        return { sessions: [{ sessionId: "a", cwd: "/work", title: "A" }], nextCursor: "" };
      },
    });
    expect(await client.result("session/list", { cwd: "/work", cursor: "" })).toEqual({
      sessions: [{ sessionId: "a", cwd: "/work", title: "A" }],
      nextCursor: "",
    });
    expect(seen).toEqual([{ cwd: "/work", cursor: "" }]);
  });

  test("V2-SES-23: delete closes what is open, then asks the handler", async () => {
    const said: string[] = [];
    const { client, sessionId } = await openAs(hello, {
      deleteSession: (id) => void said.push(`delete ${id}`),
      closeSession: ({ id }) => void said.push(`close ${id}`),
    });
    expect(await client.result("session/delete", { sessionId })).toEqual({});
    expect(await client.result("session/delete", { sessionId: "none" })).toEqual({});
    expect(said).toEqual([`close ${sessionId}`, `delete ${sessionId}`, "delete none"]);
    const poor = (await connectAs(hello, {})).client;
    expect(await poor.error("session/delete", { sessionId })).toMatchObject({ code: -32601 });
  });
});

test("V2-INIT-16 V2-SES-21: without a handler the list is what is open here", async () => {
  const { client, sessionId } = await open({ newSession: (_, session) => void session.setTitle("Here") });
  expect(await client.result("session/list", { cwd: "/work" })).toEqual({
    sessions: [{ sessionId, cwd: "/work", title: "Here" }],
  });
  expect(await client.result("session/list", { cwd: "/other" })).toEqual({ sessions: [] });
});

describe("options of version 2", () => {
  test("V2-CFG-05: every option says its value, and a client that ignores them is served by these", async () => {
    const { client } = await connect({
      newSession: () => ({ configOptions: [terse, mode] }),
      prompt: ({ session }) => void session.setTitle(`${session.configValue("terse")} ${session.configValue("mode")}`),
    });
    const { sessionId, configOptions } = await client.result("session/new", place);
    expect(configOptions.map(({ currentValue }: Frame) => currentValue)).toEqual([false, "ask"]);
    await client.ask(sessionId);
    expect(await client.update("session_info_update")).toMatchObject({ title: "false ask" });
    expect(await client.update("state_update", 1)).toMatchObject({ stopReason: "end_turn" });
  });

  const set = { configId: "terse", type: "boolean", value: true };

  test("V2-CFG-03 V2-CFG-06: a choice, and a change by the agent", async () => {
    const chosen: unknown[] = [];
    const { client, sessionId } = await open({
      newSession: () => ({ configOptions: [terse, mode] }),
      setConfigOption: (_, configId, value) => void chosen.push([configId, value]),
    });
    const on = { ...terse, currentValue: true };
    expect(await client.result("session/set_config_option", { sessionId, ...set })).toEqual({
      configOptions: [on, mode],
    });
    await client.result("session/set_config_option", { sessionId, configId: "mode", type: "id", value: "code" });
    expect(chosen).toEqual([
      ["terse", true],
      ["mode", "code"],
    ]);
    expect(client.updates("config_option_update").at(-1)?.configOptions).toEqual([
      on,
      { ...mode, currentValue: "code" },
    ]);
  });

  test.each<[string, Frame]>([
    ["an unknown option", { ...set, configId: "x" }],
    ["a value of another kind", { configId: "terse", type: "id", value: "on" }],
    ["a value that is not offered", { configId: "mode", type: "id", value: "plan" }],
    ["an unknown type", { configId: "terse", type: "range", value: 3 }],
    ["no type", { configId: "mode", value: "code" }],
  ])("V2-CFG-04: %s is -32602", async (_, params) => {
    const setConfigOption = vi.fn();
    const { client, sessionId } = await open({
      newSession: () => ({ configOptions: [terse, mode] }),
      setConfigOption,
    });
    expect(await client.error("session/set_config_option", { sessionId, ...params })).toMatchObject({ code: -32602 });
    expect(setConfigOption).not.toHaveBeenCalled();
  });
});
