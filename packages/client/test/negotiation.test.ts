import type { Diagnostic } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, test, vi } from "vitest";
import { connect, connectWith, v1Dialect } from "../src/index.js";
import { CAPABLE, dial, open, RawAgent, settle } from "./raw-agent.js";

const initialized = { protocolVersion: 1, agentCapabilities: CAPABLE };

test("a client of version 1 alone offers that and says who it is (V1-INIT-01, V1-INIT-04, V1-INIT-12)", async () => {
  const { agent } = await open({ info: { name: "editor", title: "Editor", version: "2.0.0" }, dialects: [v1Dialect] });
  expect(agent.received[0]).toMatchObject({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: 1, clientInfo: { name: "editor", title: "Editor", version: "2.0.0" } },
  });
});

test("an agent that does not answer initialize is reported after 10 s, and one that answers is not", async () => {
  vi.useFakeTimers();
  try {
    const diagnostics: string[] = [];
    const options = {
      info: { name: "t", version: "1.0.0" },
      onDiagnostic: (d: Diagnostic) => diagnostics.push(d.code),
    };
    const [mine, theirs] = createMemoryPair();
    const connecting = connect(mine, options);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(diagnostics).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(diagnostics).toEqual(["unanswered"]);
    await theirs.close();
    await expect(connecting).rejects.toThrow();
    const [one, other] = createMemoryPair();
    other.start({
      message: (message) =>
        void other.send({ jsonrpc: "2.0", id: (message as { id: number }).id, result: initialized }),
      invalidLine: () => undefined,
    });
    const client = await connect(one, options);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(diagnostics).toEqual(["unanswered"]);
    await client.close();
  } finally {
    vi.useRealTimers();
  }
});

test("without hosts no files and no terminals are offered (V1-INIT-09)", async () => {
  const { agent } = await open();
  expect(agent.received[0]?.params.clientCapabilities).toEqual({
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    auth: { terminal: false },
    session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
    subagents: {},
    plan: {},
  });
});

test("what is offered follows from the hosts, method by method (V1-FS-01, V1-TERM-01)", async () => {
  const terminals = { create: vi.fn() };
  const { agent } = await open({ files: { readTextFile: () => "" }, terminals });
  expect(agent.received[0]?.params.clientCapabilities).toMatchObject({
    fs: { readTextFile: true, writeTextFile: false },
    terminal: true,
  });
});

test.each([
  [{}, false],
  [{ terminalLogin: false }, false],
  [{ terminalLogin: true }, true],
])(
  "%j offers logins on a terminal: %s, so nobody offers them by accident (V1-AUTH-05, V2-AUTH-07)",
  async (options, is) => {
    const { agent } = await open(options);
    expect(agent.received[0]?.params).toMatchObject({ clientCapabilities: { auth: { terminal: is } } });
    const { auth } = agent.received[0]?.params.capabilities ?? {};
    expect(auth).toEqual(is ? { terminal: {} } : undefined);
  },
);

test("the peer is what the agent said of itself", async () => {
  const { client } = await open({}, { authMethods: [{ id: "web", name: "Web" }] });
  expect(client.peer).toMatchObject({
    dialect: "v1",
    info: { name: "raw-agent", version: "0.0.1" },
    capabilities: { load: true, resume: true, close: true, list: false, mcp: { stdio: true, http: true } },
    authMethods: [{ methodId: "web", name: "Web", type: "agent" }],
  });
});

test("an agent that says nothing of itself can do nothing but the baseline (V1-INIT-09, V1-INIT-12)", async () => {
  const { client } = await open({}, { agentCapabilities: undefined, agentInfo: undefined });
  expect(client.peer.info).toEqual({ name: "unknown", version: "unknown" });
  expect(client.peer.capabilities).toMatchObject({ load: false, resume: false, close: false });
});

test.each([0, 3, 99])("version %i is no version of this client (V1-INIT-06, V2-INIT-06)", async (protocolVersion) => {
  const { agent, connecting, channel } = dial();
  agent.answer(await agent.call("initialize"), { protocolVersion });
  await expect(connecting).rejects.toMatchObject({
    name: "NegotiationError",
    code: "negotiation",
    message: expect.stringMatching(
      new RegExp(`version ${protocolVersion}; this client speaks version 2, .*version 1\\b`),
    ),
  });
  expect((await channel.closed).kind).toBe("local");
});

test.each([
  ["no version", {}, "protocolVersion"],
  ["a version that is text", { protocolVersion: "1" }, "protocolVersion"],
  ["nothing", null, "protocolVersion"],
])("an answer with %s names what is wrong and closes (V1-RPC-26)", async (_, result, path) => {
  const { agent, connecting, channel } = dial();
  agent.answer(await agent.call("initialize"), result);
  await expect(connecting).rejects.toMatchObject({ code: "invalid_message", issues: [{ path: [path] }] });
  expect((await channel.closed).kind).toBe("local");
});

test("a refusal reaches the caller as it is, and the channel is closed", async () => {
  const { agent, connecting, channel } = dial();
  agent.refuse(await agent.call("initialize"), -32603, "no license", { details: "expired" });
  await expect(connecting).rejects.toMatchObject({
    code: -32603,
    message: "no license: expired",
    data: { details: "expired" },
  });
  expect((await channel.closed).kind).toBe("local");
});

test("an agent that goes away during the handshake is a lost connection", async () => {
  const { agent, connecting } = dial();
  await agent.call("initialize");
  await agent.close();
  await expect(connecting).rejects.toMatchObject({
    code: "connection_closed",
    message: expect.stringContaining("initialize"),
    reason: { kind: "remote" },
  });
});

test("calls that come before the answer are held, and handled in order after it", async () => {
  const reported: unknown[] = [];
  const { agent, connecting } = dial({
    extensions: { _note: (params) => void reported.push(params), _ask: (params) => ({ got: params }) },
  });
  const hello = await agent.call("initialize");
  agent.send({ jsonrpc: "2.0", method: "_note", params: { n: 1 } });
  agent.request("q", "_ask", { n: 2 });
  agent.send({ jsonrpc: "2.0", method: "_note", params: { n: 3 } });
  await Promise.resolve();
  expect(reported).toEqual([]);
  agent.send(RawAgent.result(hello, initialized), { jsonrpc: "2.0", method: "_note", params: { n: 4 } });
  expect(await agent.answerTo("q")).toMatchObject({ result: { got: { n: 2 } } });
  expect(reported).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
  expect((await connecting).peer.dialect).toBe("v1");
});

test("held calls are bounded: beyond it requests are refused and notifications reported", async () => {
  const { agent, connecting, diagnostics } = dial({ limits: { waitingMessages: 2 } });
  const hello = await agent.call("initialize");
  for (let n = 1; n <= 4; n++) agent.request(n, "_x", {});
  agent.send({ jsonrpc: "2.0", method: "_note", params: {} });
  expect(await agent.answerTo(3)).toMatchObject({ error: { code: -32603 } });
  agent.answer(hello, initialized);
  await connecting;
  expect(await agent.answerTo(1)).toMatchObject({ error: { code: -32601 } });
  expect(diagnostics.filter(({ code }) => code === "dropped")).toHaveLength(3);
});

test("an extension that nobody serves does not exist (V1-RPC-12, V1-EXT-04)", async () => {
  const { agent, diagnostics } = await open();
  agent.send({ jsonrpc: "2.0", method: "_auth/status_update", params: {} });
  agent.request("q", "_x", {});
  expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32601, data: { method: "_x" } } });
  expect(diagnostics).toEqual([]);
});

test("extensions of the agent are called and told", async () => {
  const { agent, client } = await open();
  const asked = client.request("_ping", { n: 1 });
  client.notify("_note", { n: 2 });
  const ping = await agent.call("_ping");
  expect(ping.params).toEqual({ n: 1 });
  agent.answer(ping, { pong: 1 });
  expect(await asked).toEqual({ pong: 1 });
  expect((await agent.call("_note")).params).toEqual({ n: 2 });
});

test("a hook for diagnostics that throws breaks nothing", async () => {
  const { agent, client } = await open({
    onDiagnostic: () => {
      throw new Error("hook");
    },
  });
  agent.say("nobody", "lost");
  await settle(agent);
  expect(client.peer.dialect).toBe("v1");
});

const info = { name: "editor", version: "1.0.0" };

test.each([
  ["no channel", {}, { info }, /^connect got no channel: pass one of @turnkit\/transport\/channels, or call launch/],
  ["a stream", new TransformStream(), { info }, /^connect got no channel: pass createMessageStreamChannel\(stream\)/],
  ["nothing", undefined, undefined, /^connect got no channel/],
  ["a promise", Promise.resolve(), { info }, /^connect got a promise: await it.*launch returns a client/],
  ["a client", { newSession() {} }, { info }, /^connect got a client/],
  [
    "no options",
    createMemoryPair()[0],
    undefined,
    /^connect got no info: pass the name and version of your program as/,
  ],
  ["no info", createMemoryPair()[0], {}, /^connect got no info/],
])("defect F15: connect with %s says what to pass", async (_, channel, options, message) => {
  const error = await connect(channel as never, options as never).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(message);
});

test.each([["v1"], [undefined], [{}]])("a list of dialects with %j is refused with a remedy", async (dialect) => {
  const [channel] = createMemoryPair();
  const info = { name: "test", version: "1" };
  const connecting = connectWith([dialect as never], channel, { info });
  await expect(connecting).rejects.toThrow(/^connectWith dialects got .*: pass a list such as \[v1Dialect\]\.$/);
});
