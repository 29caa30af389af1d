import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chunk, gate, newSession, openSession, RawAgent, settle } from "./raw-agent.js";

const unhandled = vi.fn();
beforeEach(() => {
  unhandled.mockClear();
  process.on("unhandledRejection", unhandled);
});
afterEach(async () => {
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe("a lost connection", () => {
  test("fails the open turn with the reason, and those that wait; nothing more is sent", async () => {
    const { agent, session } = await openSession();
    const turns = [session.prompt("a"), session.prompt("b")];
    await agent.call("session/prompt");
    await agent.close();
    for (const [index, turn] of turns.entries()) {
      await expect(turn.ended).rejects.toMatchObject({
        // The second prompt was never sent.
        name: index === 0 ? "OutcomeUnknownError" : "ConnectionClosedError",
        code: "connection_closed",
        reason: { kind: "remote" },
      });
    }
    expect(agent.count("session/prompt")).toBe(1);
    expect(session.state.lastTurn).toMatchObject({ stopReason: "error" });
    expect(session.state.timeline.length).toBe(1);
  });

  test("listeners get what was received, then the end, in order; `closed` settles after them", async () => {
    const log: string[] = [];
    const { agent, client, session } = await openSession();
    session.onEvent(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(event.type);
    });
    const turn = session.prompt("a");
    turn.ended.catch(() => log.push("ended"));
    await agent.call("session/prompt");
    agent.ask("q", "s-1");
    agent.send(RawAgent.update("s-1", chunk("1")), RawAgent.update("s-1", chunk("2")));
    void agent.close();
    expect(await client.closed).toMatchObject({ kind: "remote" });
    log.push("closed");
    expect(log).toEqual([
      "prompt_sent",
      "turn_started",
      ...["user_message", "state_update", "prompt_accepted"],
      ...["state_update", "permission_asked", "agent_message_chunk", "agent_message_chunk"],
      ...["permission_answered", "turn_ended"],
      "ended",
      "session_closed",
      "closed",
    ]);
    expect(session.state).toMatchObject({ closed: true, activity: { state: "idle" }, pendingPermissions: [] });
  });

  test("without listeners, too, `closed` settles after the turns", async () => {
    const log: string[] = [];
    const { agent, client, session } = await openSession();
    const turns = [session.prompt("a"), session.prompt("b")];
    for (const { ended } of turns) ended.catch(() => log.push("ended"));
    void client.closed.then(() => log.push("closed"));
    await agent.call("session/prompt");
    await agent.close();
    await vi.waitFor(() => expect(log).toEqual(["ended", "ended", "closed"]));
  });

  test("answers that were received still settle", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("a");
    const prompt = await agent.call("session/prompt");
    agent.answer(prompt, { stopReason: "end_turn" });
    void agent.close();
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("rejects every open call", async () => {
    const opened = await openSession();
    const { agent, client, session } = opened;
    const calls = [client.newSession({ cwd: "/work" }), client.request("_x", {})];
    const restoring = client.restore("s-0", { cwd: "/work" });
    const settled = Promise.allSettled(calls);
    const closing = session.close();
    await agent.call("_x");
    await agent.close();
    expect((await settled).map((one) => one.status === "rejected" && one.reason.code)).toEqual(
      Array(2).fill("connection_closed"),
    );
    expect(await restoring).toMatchObject({
      status: "unavailable",
      reason: "ended",
      error: { code: "connection_closed" },
    });
    // The session is over: that is what was asked for.
    await closing;
  });

  test("later prompts get turns that say so, later calls reject", async () => {
    const { agent, client, session } = await openSession();
    await agent.close();
    await client.closed;
    await expect(session.prompt("a").ended).rejects.toMatchObject({ code: "connection_closed" });
    await expect(client.newSession({ cwd: "/work" })).rejects.toMatchObject({ code: "connection_closed" });
    await session.close();
    await session.cancel();
    await client.close();
  });

  test("nobody looks at anything: nothing is unhandled", async () => {
    const { agent, client, session } = await openSession();
    session.prompt("a");
    session.prompt("b");
    await agent.call("session/prompt");
    agent.ask("q", "s-1");
    await settle(agent);
    await agent.close();
    await client.closed;
  });

  test("is told to every session", async () => {
    const opened = await openSession();
    const other = await newSession(opened, "s-2");
    await opened.agent.close();
    await opened.client.closed;
    expect([opened.session.state.closed, other.state.closed]).toEqual([true, true]);
  });

  test("the policy's signal fires", async () => {
    const signal = gate<AbortSignal>();
    const { agent } = await openSession({
      permissions: (_, given) => {
        signal.open(given);
        return new Promise(() => undefined);
      },
    });
    agent.ask("q", "s-1");
    const given = await signal.promise;
    await agent.close();
    await vi.waitFor(() => expect(given.aborted).toBe(true));
  });
});

describe("close", () => {
  test("ends everything from this side", async () => {
    const { agent, client, session } = await openSession();
    const turn = session.prompt("a");
    await agent.call("session/prompt");
    await client.close();
    await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed", reason: { kind: "local" } });
    expect(session.state.closed).toBe(true);
    expect((await client.closed).kind).toBe("local");
  });

  test("by `await using`", async () => {
    const { client, session } = await openSession();
    {
      await using one = client;
      expect(one.peer.dialect).toBe("v1");
    }
    expect(session.state.closed).toBe(true);
  });

  test("waits 5 s for a listener that does not finish, and names it", async () => {
    const never = gate();
    const { agent, client, session, diagnostics } = await openSession();
    session.onEvent(() => never.promise);
    agent.say("s-1", "1");
    await settle(agent);
    vi.useFakeTimers();
    const closed = vi.fn();
    void client.closed.then(closed);
    void client.close();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(closed).toHaveBeenCalled();
    expect(diagnostics).toMatchObject([{ code: "listener_stuck" }]);
  });
});

test("an open request of the agent is aborted, and not answered", async () => {
  const signal = gate<AbortSignal>();
  const { agent } = await openSession({
    files: {
      readTextFile: (_, session) => {
        signal.open(session.signal);
        return new Promise(() => undefined);
      },
    },
  });
  agent.request("r", "fs/read_text_file", { sessionId: "s-1", path: "/work/a" });
  const given = await signal.promise;
  await agent.close();
  await vi.waitFor(() => expect(given.aborted).toBe(true));
});
