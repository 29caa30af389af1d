import { describe, expect, test, vi } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { back, chunk, dial, gate, newSession, open, openSession, RawAgent, settle } from "./raw-agent.js";

const place = { cwd: "/work", additionalDirectories: ["/lib"] };

describe("load", () => {
  test("tells and folds the replay before it settles (V1-SESS-19, V1-SESS-20, V1-SESS-21)", async () => {
    const { agent, client } = await open();
    const reported: string[] = [];
    const restoring = client.restore("s-0", place, async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      reported.push(event.type);
    });
    const asked = await agent.call("session/load");
    expect(asked.params).toEqual({ sessionId: "s-0", ...place, mcpServers: [] });
    agent.send(
      RawAgent.update("s-0", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "q" } }),
      RawAgent.update("s-0", chunk("a")),
      RawAgent.result(asked, { modes: { currentModeId: "m", availableModes: [{ id: "m", name: "M" }] } }),
    );
    expect((await restoring).status).toBe("replayed");
    const session = await back(restoring);
    expect(reported).toEqual([
      "replay_started",
      "user_message_chunk",
      "agent_message_chunk",
      "replay_ended",
      "session_opened",
    ]);
    expect(session.state).toMatchObject({ sessionId: "s-0", replaying: false, configOptions: [{ configId: "mode" }] });
    expect(session.state.timeline.length).toBe(2);
    expect(session.roots).toEqual(["/work", "/lib"]);
  });

  test("is in the state as it goes, and says that it replays", async () => {
    const { agent, client } = await open();
    let session: { state: { replaying: boolean; timeline: { length: number } } } | undefined;
    void client.restore("s-0", place, (_, one) => {
      session = one;
    });
    await agent.call("session/load");
    agent.say("s-0", "a");
    await settle(agent);
    expect(session?.state).toMatchObject({ replaying: true, timeline: { length: 1 } });
  });

  test("takes null for an answer, as older agents write it (V1-RPC-08, V1-SESS-24)", async () => {
    const { agent, client } = await open();
    const restoring = client.restore("s-0", place);
    agent.answer(await agent.call("session/load"), null);
    expect((await back(restoring)).state.sessionId).toBe("s-0");
  });

  test("of a session that the agent does not know is its error; the session is over (V1-SESS-42)", async () => {
    const { agent, client, diagnostics } = await open();
    const reported: string[] = [];
    const restoring = client.restore("nope", place, (event) => void reported.push(event.type));
    agent.refuse(await agent.call("session/load"), -32002, "Resource not found", { sessionId: "nope" });
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "unknown", error: { code: -32002 } });
    expect(reported).toEqual(["replay_started", "session_closed"]);
    agent.say("nope", "late");
    await settle(agent);
    expect(diagnostics).toMatchObject([{ code: "dropped" }]);
  });

  test("settles only when listeners were told all of it; one that awaits it is named", async () => {
    const { agent, client, diagnostics } = await open();
    vi.useFakeTimers();
    const restoring: Promise<unknown> = client.restore("s-0", place, async (event) => {
      if (event.type === "agent_message_chunk") await restoring;
    });
    const asked = await agent.call("session/load");
    agent.send(RawAgent.update("s-0", chunk("a")), RawAgent.result(asked, {}));
    await settle(agent);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    expect(diagnostics).toMatchObject([{ code: "listener_stuck", sessionId: "s-0" }]);
  });

  test("of a session that is open ends the object from before", async () => {
    const opened = await openSession();
    const { agent, client, session } = opened;
    const restoring = client.restore("s-1", place);
    agent.answer(await agent.call("session/load"), {});
    const again = await back(restoring);
    expect(session.state.closed).toBe(true);
    agent.say("s-1", "for the new one");
    await settle(agent);
    expect([session.state.timeline.length, again.state.timeline.length]).toEqual([0, 1]);
  });
});

describe("beside a session that is open", () => {
  test("a replay is folded aside; the answer puts it in place in one step (V2-SES-13)", async () => {
    const { agent, client, session } = await openSession();
    agent.say("s-1", "before");
    await settle(agent);
    const seen: [boolean, number][] = [];
    session.subscribe(() => seen.push([session.state.closed, session.state.timeline.length]));
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/load");
    agent.say("s-1", "all of ");
    agent.update("s-1", { sessionUpdate: "tool_call", toolCallId: "t", title: "T" });
    await settle(agent);
    expect(seen).toEqual([]);
    agent.answer(asked, {});
    const again = await back(restoring);
    expect(seen).toEqual([[true, 1]]);
    expect(again.state).toMatchObject({ closed: false, replaying: false, timeline: { length: 2 } });
  });

  test("a restore that fails leaves that one as it was, and what comes after is told to it", async () => {
    const { agent, client, session } = await openSession();
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/load");
    agent.say("s-1", "half a replay");
    agent.refuse(asked, -32603, "the log is broken");
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "refused", error: { code: -32603 } });
    expect(session.state).toMatchObject({ closed: false, timeline: { length: 0 } });
    agent.say("s-1", "live");
    await settle(agent);
    expect(session.state.timeline.length).toBe(1);
    expect(agent.count("session/new")).toBe(1);
  });

  test("a second restore of one that is on its way is busy: two replays are never mixed", async () => {
    const { agent, client } = await open();
    const restoring = client.restore("s-0", place);
    const asked = await agent.call("session/load");
    expect(await client.restore("s-0", place)).toMatchObject({
      status: "unavailable",
      reason: "busy",
      error: { code: "state" },
    });
    agent.send(RawAgent.update("s-0", chunk("once")), RawAgent.result(asked, {}));
    expect((await back(restoring)).state.timeline.length).toBe(1);
    expect(agent.count("session/load")).toBe(1);
  });

  test("one that is closed as it is being restored is none", async () => {
    const { agent, client } = await open();
    const restoring = client.restore("s-0", place, async (event, session) => {
      if (event.type === "replay_started") await session.close();
    });
    const asked = await agent.call("session/load");
    agent.answer(await agent.call("session/close"), {});
    await settle(agent);
    agent.answer(asked, {});
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "ended" });
    agent.say("s-0", "late");
    await settle(agent);
  });
});

test.each([
  ["a login", -32000, "login"],
  ["the session", -32002, "unknown"],
  ["something else", -32603, "refused"],
])("an agent that misses %s says so by its code, whatever it writes beside it", async (_, code, reason) => {
  const { agent, client } = await open();
  const restoring = client.restore("s-0", place);
  agent.refuse(await agent.call("session/load"), code, "Authentication required: session not found");
  expect(await restoring).toMatchObject({ status: "unavailable", reason, error: { code } });
  await settle(agent);
  expect(agent.count("session/new")).toBe(0);
});

describe("resume", () => {
  const agentCapabilities = { sessionCapabilities: { resume: {} } };

  test("restores without a replay where the agent cannot load (V1-SESS-26, V1-SESS-27)", async () => {
    const { agent, client } = await open({}, { agentCapabilities });
    const reported: SessionEvent[] = [];
    const restoring = client.restore("s-0", { cwd: "/work" }, (event) => void reported.push(event));
    const asked = await agent.call("session/resume");
    expect(asked.params).toMatchObject({ sessionId: "s-0", cwd: "/work" });
    agent.answer(asked, {});
    expect(await restoring).toMatchObject({ status: "resumed" });
    expect(reported.map(({ type }) => type)).toEqual(["session_opened"]);
  });

  test("what the agent does not take is refused before anything is sent or ended (V1-SESS-07)", async () => {
    const opened = await openSession({}, { agentCapabilities });
    const { agent, client, session } = opened;
    expect(await client.restore("s-1", place)).toMatchObject({ status: "unavailable", reason: "unsupported" });
    await expect(client.restore("s-1", { cwd: "work" })).rejects.toMatchObject({ code: "invalid_message" });
    expect(agent.count("session/resume")).toBe(0);
    expect(session.state.closed).toBe(false);
  });
});

test("an agent that can neither is not asked; a session that is open stays open (V1-SESS-19)", async () => {
  const { agent, client, session } = await openSession({}, { agentCapabilities: {} });
  expect(await client.restore("s-1", { cwd: "/work" })).toMatchObject({
    status: "unavailable",
    reason: "unsupported",
    error: { code: "capability", message: expect.stringContaining("raw-agent cannot restore sessions") },
  });
  await settle(agent);
  expect(agent.received.map(({ method }) => method)).not.toContain("session/load");
  expect(session.state.closed).toBe(false);
});

describe("close", () => {
  test("ends the session on both sides; updates that come later are dropped (V1-SESS-34)", async () => {
    const { agent, session, diagnostics } = await openSession();
    const reported: string[] = [];
    session.onEvent((event) => void reported.push(event.type));
    const closing = session.close();
    const asked = await agent.call("session/close");
    expect(asked.params).toEqual({ sessionId: "s-1" });
    agent.say("s-1", "last words");
    agent.answer(asked, {});
    await closing;
    expect(reported).toEqual(["agent_message_chunk", "session_closed"]);
    expect(session.state.closed).toBe(true);
    agent.say("s-1", "late");
    await settle(agent);
    expect(diagnostics).toMatchObject([{ code: "late_update", sessionId: "s-1" }]);
  });

  test.each([
    ["null", (agent: RawAgent, asked: any) => agent.answer(asked, null)],
    ["an unknown session", (agent: RawAgent, asked: any) => agent.refuse(asked, -32002, "Resource not found")],
  ])("takes %s for a success (V1-SESS-37, V1-RPC-08)", async (_, reply) => {
    const { agent, session } = await openSession();
    const closing = session.close();
    reply(agent, await agent.call("session/close"));
    await closing;
    expect(session.state.closed).toBe(true);
  });

  test("that the agent refuses leaves the session as it was", async () => {
    const { agent, session } = await openSession();
    const closing = session.close();
    agent.refuse(await agent.call("session/close"), -32603, "busy");
    await expect(closing).rejects.toMatchObject({ code: -32603 });
    expect(session.state.closed).toBe(false);
    const turn = session.prompt("still here");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    void session.close();
    await agent.call("session/close");
  });

  test("called twice asks once", async () => {
    const { agent, session } = await openSession();
    const closings = [session.close(), session.close()];
    agent.answer(await agent.call("session/close"), {});
    await Promise.all([...closings, session.close()]);
    await settle(agent);
    expect(agent.count("session/close")).toBe(1);
  });

  test("dismisses open questions, and those that still come (V1-CANCEL-03)", async () => {
    const { agent, session } = await openSession();
    agent.ask("q1", "s-1");
    await settle(agent);
    void session.close();
    agent.ask("q2", "s-1");
    const cancelled = { result: { outcome: { outcome: "cancelled" } } };
    expect(await agent.answerTo("q1")).toMatchObject(cancelled);
    expect(await agent.answerTo("q2")).toMatchObject(cancelled);
  });

  test("the running turn ends as the agent says, those that wait are never sent (V1-SESS-35, V1-SESS-36)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("a");
    const waiting = session.prompt("b");
    const prompt = await agent.call("session/prompt");
    const closing = session.close();
    const asked = await agent.call("session/close");
    agent.send(RawAgent.result(prompt, { stopReason: "cancelled" }), RawAgent.result(asked, {}));
    await closing;
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(await waiting.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(1);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("a turn that the agent forgot to end ends unconfirmed; its late answer changes nothing", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("a");
    const prompt = await agent.call("session/prompt");
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    const { state } = session;
    agent.answer(prompt, { stopReason: "end_turn" });
    await settle(agent);
    expect(session.state).toBe(state);
  });

  test("an agent that cannot close is told to cancel, and the session ends here (V1-SESS-34)", async () => {
    const { agent, session } = await openSession({}, { agentCapabilities: {} });
    const turn = session.prompt("a");
    await agent.call("session/prompt");
    await session.close();
    await agent.call("session/cancel");
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    expect(session.state).toMatchObject({ closed: true, activity: { state: "idle" } });
    expect(agent.count("session/close")).toBe(0);
  });

  test("an idle session of such an agent ends without a word", async () => {
    const { agent, session } = await openSession({}, { agentCapabilities: {} });
    await session.close();
    await settle(agent);
    expect(agent.received.map(({ method }) => method).filter(Boolean)).toEqual(["initialize", "session/new"]);
  });

  test("a prompt after it gets a turn that says why it is none", async () => {
    const { agent, session } = await openSession({}, { agentCapabilities: {} });
    await session.close();
    const turn = session.prompt("hello?");
    await expect(turn.ended).rejects.toMatchObject({ code: "state", message: expect.stringContaining("s-1") });
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(0);
  });

  test("leaves other sessions open", async () => {
    const opened = await openSession();
    const other = await newSession(opened, "s-2");
    void opened.session.close();
    opened.agent.answer(await opened.agent.call("session/close"), {});
    opened.agent.say("s-2", "here");
    await settle(opened.agent);
    expect(other.state.timeline.length).toBe(1);
  });

  test("a slow listener does not hold it up", async () => {
    const never = gate();
    const { agent, session } = await openSession();
    session.onEvent(() => never.promise);
    agent.say("s-1", "x");
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
  });
});

test("closing a client that never came to be is no matter", async () => {
  const { agent, connecting } = dial();
  await agent.close();
  await expect(connecting).rejects.toMatchObject({ code: "connection_closed" });
});
