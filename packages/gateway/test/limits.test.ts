import { createMemoryLog } from "@turnkit/agent";
import { createRawPeer, type RawPeer } from "@turnkit/testing";
import { AcpError, type Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { RawClient } from "./raw-client.js";

const text = (words: string) => [{ type: "text", text: words }];

async function rawClient(gateway: ReturnType<typeof gatewayOf>["gateway"]): Promise<RawClient> {
  const raw = new RawClient(gateway.open({ id: "someone", group: "all" }));
  await raw.initialize(2);
  return raw;
}

it("SHARE-12 defect G3: sessions that are opened at once keep the bound of the group", async () => {
  const { gateway } = gatewayOf({}, { limits: { sessions: 2 } });
  const raw = await rawClient(gateway);
  const open = () => raw.request("session/new", { cwd: "/work", mcpServers: [] });
  const answers = await Promise.all([open(), open(), open(), open()]);
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, -32600, -32600]);
});

it("SHARE-07 defect G3: at most 100 prompts wait while the agent restores the session", async () => {
  const latch = createLatch();
  const log = createMemoryLog();
  const handlers = { log: createMemoryLog(), restoreSession: () => latch.opened };
  const first = gatewayOf(handlers, { log: () => log });
  const { id } = await (await clientOf(first.gateway)).newSession({ cwd: "/work" });
  await first.gateway.close();
  const { gateway } = gatewayOf(handlers, { log: () => log });
  const raw = await rawClient(gateway);
  await raw.request("session/resume", { sessionId: id, cwd: "/work" });
  const send = (key?: string) =>
    raw.request("session/prompt", {
      ...{ sessionId: id, prompt: text("Go") },
      ...(key && { idempotencyKey: key }),
    });
  const waiting = Array.from({ length: 100 }, () => send());
  expect((await send()).error).toMatchObject({ code: -32600 });
  expect((await send("key-1")).error).toMatchObject({ code: -32600 });
  latch.open();
  for (const { error } of await Promise.all(waiting)) expect(error).toBeUndefined();
  // The key of a refused prompt is free.
  expect((await send("key-1")).result.messageId).toBeDefined();
});

it("SHARE-12 defect G5: only a session of the group is deleted in the agent", async () => {
  const deleted: string[] = [];
  const { gateway } = gatewayOf({
    deleteSession: (id) => void deleted.push(id),
    listSessions: () => ({ sessions: [] }),
  });
  const client = await clientOf(gateway);
  await client.deleteSession("of-another-group");
  const { id } = await client.newSession({ cwd: "/work" });
  await client.deleteSession(id);
  expect(deleted).toEqual([id]);
});

it("SHARE-10 defect G6: errors of the log have codes for the client", async () => {
  const log = createMemoryLog();
  const { gateway } = gatewayOf({}, { log: () => log });
  const raw = await rawClient(gateway);
  const { error: unknown } = await raw.request("session/list", { cursor: "nonsense" });
  await using _ = await log.open("locked", { sessionId: "locked", cwd: "/work" });
  const { error: locked } = await raw.request("session/delete", { sessionId: "locked" });
  expect([unknown?.code, locked?.code]).toEqual([-32602, -32600]);
});

it("SHARE-05 defect G7: a policy for answers that throws is reported, and the question is decided as one without anybody", async () => {
  const reported: string[] = [];
  const { gateway } = gatewayOf(
    { prompt: async (turn) => turn.say((await turn.ask({ title: "May I?" })) ? "yes" : "no") },
    {
      answers() {
        throw new Error("policy");
      },
      unattendedMs: 1,
      onDiagnostic: ({ code }) => reported.push(code),
    },
  );
  const session = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  expect(await session.prompt("Go").text()).toBe("no");
  expect(new Set(reported)).toEqual(new Set(["handler_failed"]));
});

/** Channel that refuses messages with a word, as a channel refuses messages that are too large. */
const refusing = (channel: Channel, word: string): Channel => ({
  start: (receiver) => channel.start(receiver),
  pause: () => channel.pause(),
  resume: () => channel.resume(),
  close: (reason) => channel.close(reason),
  closed: channel.closed,
  send(message) {
    if (JSON.stringify(message).includes(word)) throw new AcpError("too_large", "The message is too large.");
    return channel.send(message);
  },
});

it("SHARE-03 defect G8: an update that is too large for one client is left out, and reaches the others", async () => {
  const reported: string[] = [];
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        await turn.say("huge ");
        await turn.say("small");
      },
    },
    { onDiagnostic: ({ code }) => reported.push(code) },
  );
  const [theirs, ours] = createMemoryPair();
  gateway.serve(refusing(ours, "huge"), { id: "someone", group: "all" });
  const raw = new RawClient(theirs);
  await raw.initialize(2);
  const opened = await raw.request("session/new", { cwd: "/work", mcpServers: [] });
  const other = await attach(await clientOf(gateway), opened.result.sessionId);
  expect(await other.prompt("Go").text()).toBe("huge small");
  await raw.next((frame) => JSON.stringify(frame).includes("small"));
  expect(reported).toEqual(["dropped"]);
  // Also in the history for a client that comes later.
  await raw.request("session/resume", { sessionId: other.id, cwd: "/work", replayFrom: { type: "start" } });
  expect(reported).toEqual(["dropped", "dropped"]);
});

/** Agent of version 2 as bare frames, which has answered `initialize`. */
async function bareAgent(channel: Channel): Promise<RawPeer> {
  const peer = createRawPeer(channel);
  const hello = { protocolVersion: 2, info: { name: "bare", version: "1.0.0" }, capabilities: { session: {} } };
  peer.answer(await peer.call("initialize"), hello);
  return peer;
}

it("SHARE-11 defect G9: the work of a child session that a restore brings back is told", async () => {
  const agents: Promise<RawPeer>[] = [];
  const { gateway } = gatewayOf(
    {},
    {
      onDiagnostic: () => undefined,
      agent() {
        const [ours, theirs] = createMemoryPair();
        agents.push(bareAgent(theirs));
        return ours;
      },
    },
  );
  const update = (peer: RawPeer, sessionId: string, kind: string, members: object) =>
    peer.notify("session/update", { sessionId, update: { sessionUpdate: kind, ...members } });
  const client = await clientOf(gateway);
  const opening = client.newSession({ cwd: "/work" });
  const first = (await agents[0]) as RawPeer;
  first.answer(await first.call("session/new"), { sessionId: "root" });
  const session = await opening;
  update(first, "root", "subagent_update", { sessionId: "child", title: "Child" });
  await expect.poll(() => session.children).toHaveLength(1);
  await first.close();
  await expect.poll(() => [...session.state.timeline].map(({ type }) => type)).toEqual(["notice"]);
  const turn = session.prompt("Go");
  await expect.poll(() => agents).toHaveLength(2);
  const second = (await agents[1]) as RawPeer;
  const restore = await second.call("session/resume");
  update(second, "root", "subagent_update", { sessionId: "child", title: "Child" });
  second.answer(restore, {});
  update(second, "child", "agent_message", { messageId: "m1", content: text("from the child") });
  const prompt = await second.call("session/prompt");
  update(second, "root", "user_message", { messageId: "m2", content: text("Go") });
  second.answer(prompt, { messageId: "m2" });
  update(second, "root", "state_update", { state: "running" });
  update(second, "root", "state_update", { state: "idle", stopReason: "end_turn" });
  await turn.ended;
  expect([...(session.children[0]?.state.timeline ?? [])]).toHaveLength(1);
  await second.close();
});

it("SHARE-02 defect G15: the oldest child sessions are forgotten when there are too many", async () => {
  const agents: Promise<RawPeer>[] = [];
  const { gateway } = gatewayOf(
    {},
    {
      onDiagnostic: () => undefined,
      agent() {
        const [ours, theirs] = createMemoryPair();
        agents.push(bareAgent(theirs));
        return ours;
      },
    },
  );
  const client = await clientOf(gateway);
  const opening = client.newSession({ cwd: "/work" });
  const agent = (await agents[0]) as RawPeer;
  agent.answer(await agent.call("session/new"), { sessionId: "root" });
  const session = await opening;
  const update = (sessionId: string, members: object) => agent.notify("session/update", { sessionId, update: members });
  const said = { sessionUpdate: "agent_message", messageId: "m", content: text("Hello") };
  for (let child = 1; child <= 1_100; child += 1) {
    await update("root", { sessionUpdate: "subagent_update", sessionId: `child-${child}` });
    await update(`child-${child}`, child === 2 ? { sessionUpdate: "state_update", state: "running" } : said);
  }
  update("root", { sessionUpdate: "session_info_update", title: "All" });
  await expect.poll(() => session.state.title).toBe("All");
  const late = await rawClient(gateway);
  await late.request("session/resume", { sessionId: "root", cwd: "/work", replayFrom: { type: "start" } });
  const heard = new Set(
    late.received.filter(({ method }) => method === "session/update").map(({ params }) => params.sessionId),
  );
  const children = [...heard].filter((id) => id !== "root");
  expect(children).toHaveLength(1_024);
  // The second one works. Activities follow everything else.
  expect([children[0], children.at(-1)]).toEqual(["child-78", "child-2"]);
  await agent.close();
});
