import { expect, test } from "vitest";
import { RpcError, type SessionEvent } from "../src/index.js";
import { ask, NOW, openDraft, openDraftSession, SEED } from "./draft-agent.js";
import { CAPABLE, newSession, type RawAgent, settle } from "./raw-agent.js";

const agents = { v1: { protocolVersion: 1, agentCapabilities: CAPABLE }, v2: NOW, seed: SEED };
const dialects = ["v1", "v2", "seed"] as const;

/** Every answer that the agent got so far, in order. */
const answers = (agent: RawAgent) =>
  agent.received
    .filter(({ method, id }) => method === undefined && !String(id).startsWith("settle"))
    .map(({ id, error, result }) => [id, error?.code ?? result]);

test("version 2 has no requests with the id null (V2-ENV-02, V2-ENV-05)", async () => {
  let pings = 0;
  const { agent } = await openDraft(NOW, { extensions: { _ping: () => ++pings } });
  agent.request(null, "_ping");
  agent.request(null, "no/such");
  await settle(agent);
  expect(answers(agent)).toEqual([
    [null, -32600],
    [null, -32600],
  ]);
  expect(pings).toBe(0);
});

test.each(["v1", "seed"] as const)("%s knows them (V1-RPC-02, V1-RPC-03)", async (dialect) => {
  const { agent } = await openDraft(agents[dialect], { extensions: { _ping: () => "pong" } });
  agent.request(null, "_ping");
  await settle(agent);
  expect(answers(agent)).toEqual([[null, "pong"]]);
});

test.each(dialects)("an array of %s is refused once with -32600 (V2-ENV-06, V2-SEED-13)", async (dialect) => {
  let pings = 0;
  const { agent, client } = await openDraft(agents[dialect], { extensions: { _ping: () => ++pings } });
  agent.send([{ jsonrpc: "2.0", id: "a", method: "_ping" }]);
  await settle(agent);
  expect(answers(agent)).toEqual([[null, -32600]]);
  expect(pings).toBe(0);
  expect(client.peer.dialect).toBe(dialect);
});

test("a client that was told to unpack arrays hears and answers entry by entry (V2-SEED-13)", async () => {
  const events: SessionEvent[] = [];
  const options = { batches: "unpack", extensions: { _ping: () => "pong" } } as const;
  const { agent } = await openDraftSession(SEED, options, (event) => void events.push(event));
  const update = (text: string) => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s-1",
      update: { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } },
    },
  });
  agent.send([
    update("1"),
    { jsonrpc: "2.0", id: "a", method: "_ping" },
    update("2"),
    { jsonrpc: "2.0", id: "b", method: "x" },
  ]);
  await settle(agent);
  expect(answers(agent)).toEqual([
    ["a", "pong"],
    ["b", -32601],
  ]);
  expect(events.slice(1)).toMatchObject([{ content: { text: "1" } }, { content: { text: "2" } }]);
});

test.each(dialects)(
  "a fallback gets what nothing else serves, raw, in %s; exact handlers come first (V1-EXT-07)",
  async (dialect) => {
    const heard: unknown[] = [];
    const { agent } = await openDraftSession(agents[dialect], {
      extensions: { _exact: () => "exact" },
      fallback(method, params) {
        if (method === "_settle") return {};
        heard.push([method, params]);
        if (method === "_unknown") throw RpcError.methodNotFound(method);
        return { method };
      },
    });
    agent.send({ jsonrpc: "2.0", method: "_note", params: { n: 1 } });
    agent.say("s-1", "hi");
    for (const method of ["_exact", "mcp/message", "_unknown"]) agent.request(method, method, { odd: [null] });
    await settle(agent);
    expect(answers(agent)).toEqual([
      ["_exact", "exact"],
      ["mcp/message", { method: "mcp/message" }],
      ["_unknown", -32601],
    ]);
    expect(heard).toEqual([
      ["_note", { n: 1 }],
      ["mcp/message", { odd: [null] }],
      ["_unknown", { odd: [null] }],
    ]);
  },
);

test("the agent may speak at any time, also while nothing is asked of it (V2-ENV-13)", async () => {
  const { agent, session } = await openDraftSession(NOW, {
    extensions: { _ping: () => "pong" },
    permissions: () => ({ outcome: "selected", optionId: "yes" }),
  });
  agent.update(
    "s-1",
    { sessionUpdate: "state_update", state: "running" },
    { sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text: "By the way" }] },
  );
  ask(agent, "q");
  agent.request("p", "_ping");
  expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  expect(await agent.answerTo("p")).toMatchObject({ result: "pong" });
  expect(session.state.activity.state).toBe("running");
  expect(session.state.timeline.at(0)).toMatchObject({ type: "message", role: "agent" });
});

test.each(dialects)(
  "`_meta` of a prompt is sent whole, and that of the agent is told whole, in %s (V1-EXT-03, V2-EXT-07)",
  async (dialect) => {
    const _meta = {
      traceparent: "00-80e1-7a08-01",
      tracestate: "vendor=1",
      baggage: "user=7",
      "example.com": { deep: [null] },
    };
    const events: SessionEvent[] = [];
    const { agent, client, session } = await openDraftSession(agents[dialect], {}, (event) => void events.push(event));
    session.prompt("hi", { _meta });
    expect((await agent.call("session/prompt")).params).toMatchObject({ sessionId: "s-1", _meta });
    void client.newSession({ cwd: "/work", _meta }).catch(() => undefined);
    expect((await agent.call("session/new")).params._meta).toEqual(_meta);
    void client.request("_undo", { _meta }).catch(() => undefined);
    expect((await agent.call("_undo")).params).toEqual({ _meta });
    const content = { type: "text", text: "hi" };
    agent.update("s-1", { sessionUpdate: "agent_message_chunk", messageId: "m", content, _meta });
    await settle(agent);
    expect(events.at(-1)).toMatchObject({ type: "agent_message_chunk", _meta });
  },
);

test("a prompt without `_meta` has none (V1-EXT-03)", async () => {
  const { agent, session } = await openDraftSession(NOW);
  session.prompt("hi");
  expect((await agent.call("session/prompt")).params).not.toHaveProperty("_meta");
});

test.each(dialects)(
  "the end of a %s connection ends all calls, handlers and queues with an error that names it (V2-TRA-06)",
  async (dialect) => {
    const signals: AbortSignal[] = [];
    const opened = await openDraftSession(agents[dialect], {
      extensions: {
        _slow: (_, signal) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      },
    });
    const { agent, client, session } = opened;
    const other = await newSession(opened, "s-2");
    agent.request("slow", "_slow");
    const turns = [session, session, other].map((one) => one.prompt("hi").ended);
    const ends = Promise.allSettled([...turns, client.request("_ask", {}), client.newSession({ cwd: "/work" })]);
    await settle(agent);
    await agent.close();
    for (const end of await ends) {
      expect(end).toMatchObject({
        status: "rejected",
        reason: { code: "connection_closed", reason: { kind: "remote" } },
      });
      expect(end.status === "rejected" && end.reason.message).toContain("closed the memory channel");
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect([session.state.closed, other.state.closed]).toEqual([true, true]);
    await expect(session.prompt("late").ended).rejects.toMatchObject({ name: "ConnectionClosedError" });
  },
);
