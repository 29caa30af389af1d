import { describe, expect, test } from "vitest";
import { echo, idle, NOW, openDraft, openDraftSession, piece, running, SEED } from "./draft-agent.js";
import { back, CAPABLE, open, openSession, RawAgent, settle } from "./raw-agent.js";

const place = { cwd: "/work", additionalDirectories: ["/lib"] };

describe("restore", () => {
  test("asks for all that was said and has it in the state (V2-SES-07, V2-SES-08, V2-SES-14)", async () => {
    const { agent, client } = await openDraft();
    const received: string[] = [];
    const restoring = client.restore("s-0", place, (event) => void received.push(event.type));
    const asked = await agent.call("session/resume");
    expect(asked.params).toEqual({ sessionId: "s-0", ...place, replayFrom: { type: "start" } });
    agent.send(
      RawAgent.update("s-0", echo("u-1", "q")),
      RawAgent.update("s-0", { sessionUpdate: "agent_message", messageId: "a-1", content: [] }),
      RawAgent.update("s-0", piece("a")),
      RawAgent.update("s-0", idle("end_turn")),
      RawAgent.result(asked, { availableCommands: [{ type: "command", name: "a", description: "A" }] }),
    );
    expect((await restoring).status).toBe("replayed");
    const session = await back(restoring);
    expect(received[0]).toBe("replay_started");
    expect(received.slice(-3)).toEqual(["replay_ended", "session_opened", "available_commands_update"]);
    expect(session.state).toMatchObject({ timeline: { length: 2 }, replaying: false, availableCommands: [{}] });
  });

  test("its snapshot is no news: nothing ended by it (V2-SES-10, V2-SES-11; trap 5)", async () => {
    const { agent, client } = await openDraft();
    const restoring = client.restore("s-0", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    agent.send(RawAgent.update("s-0", idle("refusal")), RawAgent.result(asked, {}));
    const session = await back(restoring);
    expect(session.state).toMatchObject({ activity: { state: "idle", stopReason: "refusal" }, cancelling: false });
    expect(session.state.lastTurn).toBeUndefined();
    const turn = session.prompt("go on");
    agent.answer(await agent.call("session/prompt"), { messageId: "u-9" });
    agent.update("s-0", idle("refusal"), running, idle("end_turn"));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("finds work in progress (V2-SES-10)", async () => {
    const { agent, client } = await openDraft();
    const restoring = client.restore("s-0", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    agent.send(RawAgent.update("s-0", running), RawAgent.result(asked, {}));
    const session = await back(restoring);
    expect(session.state.activity.state).toBe("running");
    agent.update("s-0", idle("end_turn"));
    await settle(agent);
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
  });

  test("of a session that is open begins with nothing: chunks are not doubled (V2-SES-13; trap 29)", async () => {
    const { agent, client, session: before } = await openDraftSession();
    agent.update("s-1", piece("once"));
    await settle(agent);
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    agent.send(RawAgent.update("s-1", piece("once")), RawAgent.update("s-1", idle()), RawAgent.result(asked, {}));
    const session = await back(restoring);
    expect(before.state.closed).toBe(true);
    const [message] = session.state.timeline;
    expect(session.state.timeline.length).toBe(1);
    expect(message).toMatchObject({ content: { length: 1 } });
  });

  test("that the agent cannot replay fails, and is not tried without (V2-SES-09; trap 28)", async () => {
    const { agent, client } = await openDraft();
    const restoring = client.restore("s-0", { cwd: "/work" });
    agent.refuse(await agent.call("session/resume"), -32602, "no such cursor");
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "refused", error: { code: -32602 } });
    await settle(agent);
    expect(agent.count("session/resume")).toBe(1);
  });
});

describe("the list of sessions", () => {
  const info = (sessionId: string) => ({ sessionId, cwd: "/work" });

  test("comes page by page; an empty cursor is one, absent or null is the end (V2-SES-20; trap 26)", async () => {
    const { agent, client } = await openDraft();
    const listed = (async () => {
      const ids: string[] = [];
      for await (const { sessionId } of client.listSessions({ cwd: "/work" })) ids.push(sessionId);
      return ids;
    })();
    const first = await agent.call("session/list");
    expect(first.params).toEqual({ cwd: "/work" });
    agent.answer(first, { sessions: [info("a"), { sessionId: 7 }], nextCursor: "" });
    const second = await agent.call("session/list");
    expect(second.params).toEqual({ cwd: "/work", cursor: "" });
    agent.answer(second, { sessions: [], nextCursor: "p3" });
    const third = await agent.call("session/list");
    expect(third.params).toEqual({ cwd: "/work", cursor: "p3" });
    agent.answer(third, { sessions: [info("b")], nextCursor: null });
    expect(await listed).toEqual(["a", "b"]);
  });

  test("that is left early asks for no more (V2-SES-20)", async () => {
    const { agent, client } = await openDraft();
    const left = (async () => {
      for await (const _ of client.listSessions()) break;
    })();
    agent.answer(await agent.call("session/list"), { sessions: [info("a")], nextCursor: "p2" });
    await left;
    await settle(agent);
    expect(agent.count("session/list")).toBe(1);
  });

  test("that runs in a circle is a fault of the agent", async () => {
    const { agent, client } = await openDraft();
    const listed = (async () => {
      for await (const _ of client.listSessions());
    })();
    listed.catch(() => undefined);
    agent.answer(await agent.call("session/list"), { sessions: [], nextCursor: "p" });
    agent.answer(await agent.call("session/list"), { sessions: [], nextCursor: "p" });
    await expect(listed).rejects.toMatchObject({ code: "invalid_message", method: "session/list" });
  });

  test("of a version 1 agent needs its marker (V1-SESS-28, V1-SESS-31)", async () => {
    const { agent, client } = await open();
    await expect(client.listSessions()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "capability" });
    const agentCapabilities = { ...CAPABLE, sessionCapabilities: { list: {} } };
    const other = await open({}, { agentCapabilities });
    const next = other.client.listSessions()[Symbol.asyncIterator]().next();
    other.agent.answer(await other.agent.call("session/list"), { sessions: [info("a")] });
    expect((await next).value).toMatchObject({ sessionId: "a" });
    expect(agent.count("session/list")).toBe(0);
  });
});

describe("delete", () => {
  test.each([
    ["the agent's yes", (agent: RawAgent, asked: any) => agent.answer(asked, {})],
    ["an unknown session", (agent: RawAgent, asked: any) => agent.refuse(asked, -32002, "Resource not found")],
  ])("takes %s for a success (V2-SES-18, V2-SES-23; trap 27)", async (_, reply) => {
    const { agent, client } = await openDraft();
    const deleting = client.deleteSession("s-0");
    const asked = await agent.call("session/delete");
    expect(asked.params).toEqual({ sessionId: "s-0" });
    reply(agent, asked);
    await deleting;
  });

  test("is not asked of an agent that does not offer it (V2-INIT-13, V1-SESS-39)", async () => {
    for (const { agent, client } of [await openDraft({ ...NOW, capabilities: { session: {} } }), await open()]) {
      await expect(client.deleteSession("s-0")).rejects.toMatchObject({ code: "capability" });
      expect(agent.count("session/delete")).toBe(0);
    }
  });
});

describe("login and logout", () => {
  const authMethods = [
    { type: "agent", methodId: "web", name: "Web" },
    { type: "terminal", methodId: "tty", name: "Terminal" },
    { type: "passkey", methodId: "key", name: "Key" },
  ];

  test("go by version 2's names (V2-AUTH-01, V2-AUTH-05, V2-AUTH-09)", async () => {
    const { agent, client } = await openDraft({ ...NOW, authMethods });
    const login = client.login("web");
    const asked = await agent.call("auth/login");
    expect(asked.params).toEqual({ methodId: "web" });
    agent.answer(asked, {});
    await login;
    const logout = client.logout();
    agent.answer(await agent.call("auth/logout"), {});
    await logout;
  });

  test.each(["tty", "key", "none"])("%s is no login that the agent runs (V2-AUTH-04, V2-AUTH-06)", async (methodId) => {
    const { agent, client } = await openDraft({ ...NOW, authMethods });
    await expect(client.login(methodId)).rejects.toMatchObject({ code: "capability" });
    expect(agent.count("auth/login")).toBe(0);
  });

  test("neither is there without methods (V2-AUTH-02)", async () => {
    const { client } = await openDraft();
    await expect(client.login("web")).rejects.toMatchObject({ code: "capability" });
    await expect(client.logout()).rejects.toMatchObject({ code: "capability" });
  });

  test("go by older names in the seed draft, and in version 1 (V2-SEED-04, V1-AUTH-06)", async () => {
    const seed = await openDraft({ ...SEED, authMethods: [{ type: "agent", id: "web", name: "Web" }] });
    const first = await open(
      {},
      {
        authMethods: [{ id: "web", name: "Web" }],
        agentCapabilities: { auth: { logout: {} } },
      },
    );
    for (const { agent, client } of [seed, first]) {
      const login = client.login("web");
      const asked = await agent.call("authenticate");
      expect(asked.params).toEqual({ methodId: "web" });
      agent.answer(asked, {});
      await login;
      const logout = client.logout();
      agent.answer(await agent.call("logout"), {});
      await logout;
    }
  });
});

describe("options", () => {
  const option = (currentValue: boolean) => ({ type: "boolean", configId: "terse", name: "Terse", currentValue });
  const model = (currentValue: string) => ({
    type: "select",
    configId: "model",
    name: "Model",
    currentValue,
    options: ["a", "b"].map((value) => ({ value, name: value })),
  });

  test("are set with their type (V2-CFG-03; trap 16)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", { sessionUpdate: "config_option_update", configOptions: [option(false), model("a")] });
    await settle(agent);
    const terse = session.setConfigOption("terse", true);
    const first = await agent.call("session/set_config_option");
    expect(first.params).toEqual({ sessionId: "s-1", configId: "terse", type: "boolean", value: true });
    agent.answer(first, { configOptions: [option(true), model("a")] });
    await terse;
    void session.setConfigOption("model", "b");
    expect((await agent.call("session/set_config_option")).params).toMatchObject({ type: "id", value: "b" });
    expect(session.state.configOptions).toMatchObject([{ currentValue: true }, { currentValue: "a" }]);
  });

  test.each([
    ["the answer", ["update", "answer"], true],
    ["the update", ["answer", "update"], false],
  ])("what came last counts: %s (V2-UPD-19; trap 38)", async (_, order, value) => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", { sessionUpdate: "config_option_update", configOptions: [option(false)] });
    await settle(agent);
    const set = session.setConfigOption("terse", true);
    const asked = await agent.call("session/set_config_option");
    const update = RawAgent.update("s-1", { sessionUpdate: "config_option_update", configOptions: [option(false)] });
    const answer = RawAgent.result(asked, { configOptions: [option(true)] });
    agent.send(...order.map((what) => (what === "update" ? update : answer)));
    await set;
    await settle(agent);
    expect(session.state.configOptions).toMatchObject([{ currentValue: value }]);
  });
});

describe("places", () => {
  test("only what the agent takes is sent (V2-SES-06, V2-MCP-02)", async () => {
    const { agent, client } = await openDraft({ ...NOW, capabilities: { session: { mcp: { http: {} } } } });
    const stdio = { type: "stdio", name: "a", command: "/a" } as const;
    for (const refused of [place, { cwd: "/work", mcpServers: [stdio] }]) {
      await expect(client.newSession(refused)).rejects.toMatchObject({ code: "capability" });
    }
    void client.newSession({ cwd: "/work", mcpServers: [{ type: "http", name: "b", url: "https://b" }] });
    expect((await agent.call("session/new")).params).toEqual({
      cwd: "/work",
      mcpServers: [{ type: "http", name: "b", url: "https://b" }],
    });
    expect(agent.count("session/new")).toBe(1);
  });

  test("a version 1 session has no calls to cancel one by one (V2-TOOL-11)", async () => {
    const { agent, session } = await openSession();
    agent.update("s-1", { sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "in_progress" });
    await settle(agent);
    await expect(session.cancelToolCall("t")).rejects.toMatchObject({ code: "capability" });
  });
});
