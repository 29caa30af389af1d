import { expect, test } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { CAPABLE, chunk, newSession, open, openSession, RawAgent, settle } from "./raw-agent.js";

const textOf = (event: SessionEvent): string | undefined =>
  event.type === "agent_message_chunk" && event.content.type === "text" ? (event.content as any).text : undefined;

const texts = (events: readonly SessionEvent[]) => events.map(textOf).filter((text) => text !== undefined);

test("asks for a session with every list written (V1-SESS-01, V1-SESS-14)", async () => {
  const { agent, client } = await open();
  const mcpServers = [
    { type: "stdio", name: "notes", command: "/bin/notes" },
    { type: "http", name: "web", url: "https://x.test" },
  ] as const;
  void client.newSession({ cwd: "/work", additionalDirectories: ["/lib"], mcpServers });
  expect((await agent.call("session/new")).params).toEqual({
    cwd: "/work",
    additionalDirectories: ["/lib"],
    mcpServers: [
      { name: "notes", command: "/bin/notes", args: [], env: [] },
      { type: "http", name: "web", url: "https://x.test", headers: [] },
    ],
  });
});

test("directories that are named twice, or are the folder itself, are sent once (V1-SESS-08, V1-SESS-11)", async () => {
  const { agent, client } = await open();
  const opening = client.newSession({ cwd: "/work", additionalDirectories: ["/lib", "/work", "/lib"] });
  const asked = await agent.call("session/new");
  expect(asked.params.additionalDirectories).toEqual(["/lib"]);
  agent.answer(asked, { sessionId: "s-1" });
  expect((await opening).roots).toEqual(["/work", "/lib"]);
});

test.each([
  [{ cwd: "." }, "cwd"],
  [{ cwd: "/work", additionalDirectories: ["/lib", ""] }, "additionalDirectories.1"],
])("a path that is not absolute is never sent (V1-SESS-06): %j", async (place, where) => {
  const { agent, client } = await open();
  const refused = client.newSession(place);
  await expect(refused).rejects.toMatchObject({
    code: "invalid_message",
    message: expect.stringContaining(`at ${where}: expected an absolute path`),
  });
  expect(agent.count("session/new")).toBe(0);
});

test.each(["C:\\work", "c:/work", "\\\\server\\share"])("%s is absolute on another system", async (cwd) => {
  const { agent, client } = await open();
  void client.newSession({ cwd });
  expect((await agent.call("session/new")).params.cwd).toBe(cwd);
});

test.each([
  [{ additionalDirectories: ["/lib"] }, "additional directories"],
  [{ mcpServers: [{ type: "http", name: "web", url: "https://x.test" }] as const }, "MCP servers over http"],
  [{ mcpServers: [{ type: "sse", name: "web", url: "https://x.test" }] as const }, "MCP servers over sse"],
])("what the agent does not take is refused here (V1-SESS-07, V1-SESS-16): %j", async (more, what) => {
  const { agent, client } = await open({}, { agentCapabilities: {} });
  await expect(client.newSession({ cwd: "/work", ...more })).rejects.toMatchObject({
    code: "capability",
    message: expect.stringContaining(what),
  });
  expect(agent.count("session/new")).toBe(0);
});

test("an update in the same write as the answer is told and folded (V1-SESS-04)", async () => {
  const { agent, client } = await open();
  const events: SessionEvent[] = [];
  const opening = client.newSession({ cwd: "/work" }, (event) => void events.push(event));
  const asked = await agent.call("session/new");
  agent.send(RawAgent.result(asked, { sessionId: "s-1" }), RawAgent.update("s-1", chunk("hello")));
  const session = await opening;
  expect(session.id).toBe("s-1");
  await settle(agent);
  expect(events.map(({ type }) => type)).toEqual(["session_opened", "agent_message_chunk"]);
  expect(session.state.timeline.length).toBe(1);
});

test("updates before the answer are kept, in order, and told after the session opened", async () => {
  const { agent, client, diagnostics } = await open();
  const events: SessionEvent[] = [];
  const opening = client.newSession({ cwd: "/work" }, (event) => void events.push(event));
  const asked = await agent.call("session/new");
  agent.say("s-1", "one", "two");
  await settle(agent);
  agent.send(RawAgent.result(asked, { sessionId: "s-1" }), RawAgent.update("s-1", chunk("three")));
  await opening;
  await settle(agent);
  expect(events[0]?.type).toBe("session_opened");
  expect(texts(events)).toEqual(["one", "two", "three"]);
  expect(diagnostics).toEqual([]);
});

test("updates for an id that no answer names are dropped and reported (V1-SESS-43)", async () => {
  const { agent, client, diagnostics } = await open();
  const opening = client.newSession({ cwd: "/work" });
  const asked = await agent.call("session/new");
  agent.say("other", "one", "two");
  agent.answer(asked, { sessionId: "s-1" });
  const session = await opening;
  await settle(agent);
  agent.say("other", "three");
  await settle(agent);
  expect(diagnostics).toMatchObject([
    { code: "dropped", sessionId: "other", message: expect.stringContaining("2 updates") },
    { code: "dropped", sessionId: "other" },
  ]);
  expect(session.state.timeline.length).toBe(0);
});

test("what is kept is bounded: the newest beyond it are dropped and reported", async () => {
  const { agent, client, diagnostics } = await open({ limits: { waitingMessages: 3 } });
  const events: SessionEvent[] = [];
  const opening = client.newSession({ cwd: "/work" }, (event) => void events.push(event));
  const asked = await agent.call("session/new");
  agent.say("s-1", "1", "2", "3", "4", "5");
  agent.answer(asked, { sessionId: "s-1" });
  await opening;
  await settle(agent);
  expect(texts(events)).toEqual(["1", "2", "3"]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["dropped", "dropped"]);
});

test("what was claimed or given up makes room again", async () => {
  const opened = await open({ limits: { waitingMessages: 2 } });
  const { agent, client } = opened;
  for (const id of ["a", "b", "c"]) {
    const events: SessionEvent[] = [];
    const opening = client.newSession({ cwd: "/work" }, (event) => void events.push(event));
    const asked = await agent.call("session/new");
    agent.say("stranger", "1");
    agent.say(id, "1");
    agent.answer(asked, { sessionId: id });
    await opening;
    await settle(agent);
    expect(texts(events)).toEqual(["1"]);
  }
});

test("what was claimed makes room while another session is still being opened", async () => {
  const { agent, client } = await open({ limits: { waitingMessages: 2 } });
  const events: SessionEvent[] = [];
  const a = client.newSession({ cwd: "/a" });
  const b = client.newSession({ cwd: "/b" }, (event) => void events.push(event));
  const [askedA, askedB] = [await agent.call("session/new"), await agent.call("session/new")];
  agent.say("a", "1", "2");
  agent.answer(askedA, { sessionId: "a" });
  await a;
  agent.say("b", "3", "4");
  agent.answer(askedB, { sessionId: "b" });
  await b;
  await settle(agent);
  expect(texts(events)).toEqual(["3", "4"]);
});

test("of two openings each gets its own updates, whichever is answered first", async () => {
  const { agent, client } = await open();
  const received: Record<string, SessionEvent[]> = { a: [], b: [] };
  const a = client.newSession({ cwd: "/a" }, (event) => void received.a?.push(event));
  const b = client.newSession({ cwd: "/b" }, (event) => void received.b?.push(event));
  const [askedA, askedB] = [await agent.call("session/new"), await agent.call("session/new")];
  agent.say("b", "for b");
  agent.say("a", "for a");
  agent.answer(askedB, { sessionId: "b" });
  agent.answer(askedA, { sessionId: "a" });
  await Promise.all([a, b]);
  await settle(agent);
  expect(texts(received.a ?? [])).toEqual(["for a"]);
  expect(texts(received.b ?? [])).toEqual(["for b"]);
});

test("a refusal is an RpcError; updates that came for it are given up (V1-AUTH-09)", async () => {
  const { agent, client, diagnostics } = await open();
  const opening = client.newSession({ cwd: "/work" });
  const asked = await agent.call("session/new");
  agent.say("s-1", "lost");
  agent.refuse(asked, -32000, "Authentication required");
  await expect(opening).rejects.toMatchObject({ code: -32000 });
  expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "s-1" }]);
});

test("an answer without a session id rejects, and the connection goes on (V1-RPC-26)", async () => {
  const opened = await open();
  const opening = opened.client.newSession({ cwd: "/work" });
  opened.agent.answer(await opened.agent.call("session/new"), { modes: null });
  await expect(opening).rejects.toMatchObject({
    code: "invalid_message",
    method: "session/new",
    issues: [{ path: ["sessionId"] }],
  });
  expect((await newSession(opened, "s-1")).id).toBe("s-1");
});

test("the answer's lists are in the state, modes and models as options (V1-MODE-01, V1-MODEL-01)", async () => {
  const { session } = await openSession(
    { limits: { stateBytes: 1_000_000 } },
    {
      agentCapabilities: CAPABLE,
      result: {
        modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
        models: { currentModelId: "m1", availableModels: [{ modelId: "m1", name: "M1" }] },
      },
    },
  );
  expect(session.state).toMatchObject({
    sessionId: "s-1",
    cwd: "/work",
    configOptions: [
      { configId: "mode", currentValue: "ask" },
      { configId: "model", currentValue: "m1" },
    ],
    limits: { stateBytes: 1_000_000 },
  });
});

test("a session of the same id ends the one before", async () => {
  const opened = await openSession();
  const again = await newSession(opened, "s-1");
  expect(opened.session.state.closed).toBe(true);
  opened.agent.say("s-1", "for the new one");
  await settle(opened.agent);
  expect(again.state.timeline.length).toBe(1);
});
