import { describe, expect, test, vi } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { chunk, newSession, openSession, RawAgent, settle } from "./raw-agent.js";

const toolCall = (toolCallId: string, status: string) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: toolCallId,
  status,
});

async function openTurn(options: Parameters<typeof openSession>[0] = {}) {
  const opened = await openSession(options);
  const turn = opened.session.prompt("hi");
  const prompt = await opened.agent.call("session/prompt");
  return { ...opened, turn, prompt };
}

describe("a cancel of the running turn", () => {
  test("is told to the agent, whose answer is the end (V1-CANCEL-01, V1-CANCEL-06)", async () => {
    const { agent, turn, prompt } = await openTurn();
    const ended = turn.cancel();
    const cancel = await agent.call("session/cancel");
    expect(cancel).toEqual({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s-1" } });
    agent.answer(prompt, { stopReason: "cancelled" });
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
  });

  test("marks unfinished tool calls in the state at once (V1-CANCEL-02)", async () => {
    const { agent, session, turn } = await openTurn();
    agent.update("s-1", toolCall("t1", "in_progress"), toolCall("t2", "completed"), toolCall("t3", "pending"));
    await settle(agent);
    void turn.cancel();
    const statuses = session.state.timeline.toArray().flatMap((entry) => (entry.type === "tool_call" ? entry : []));
    expect(statuses.map(({ status }) => status)).toEqual(["cancelled", "completed", "cancelled"]);
    expect(session.state.cancelling).toBe(true);
  });

  test("updates go on being accepted; a real status replaces the mark (V1-CANCEL-04, V1-UPD-18)", async () => {
    const { agent, session, turn, prompt } = await openTurn();
    agent.update("s-1", toolCall("t1", "in_progress"));
    await settle(agent);
    const ended = turn.cancel();
    agent.update("s-1", { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" }, chunk("bye"));
    agent.answer(prompt, { stopReason: "cancelled" });
    await ended;
    expect(session.state.timeline.at(1)).toMatchObject({ toolCallId: "t1", status: "completed" });
    expect(session.state.timeline.at(2)).toMatchObject({ role: "agent" });
    expect(session.state.cancelling).toBe(false);
  });

  test("files are served until the answer (V1-CANCEL-04)", async () => {
    const { agent, turn } = await openTurn({ files: { readTextFile: () => "text" } });
    void turn.cancel();
    agent.request("r", "fs/read_text_file", { sessionId: "s-1", path: "/work/a" });
    expect(await agent.answerTo("r")).toMatchObject({ result: { content: "text" } });
  });

  test("answers open questions as cancelled, after the cancel (V1-CANCEL-03, V1-PERM-05)", async () => {
    const { agent, session, turn } = await openTurn();
    agent.ask("q1", "s-1");
    agent.ask("q2", "s-1");
    await settle(agent);
    expect(session.state.pendingPermissions).toHaveLength(2);
    void turn.cancel();
    expect(session.state.pendingPermissions).toEqual([]);
    expect(await agent.answerTo("q1")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(await agent.answerTo("q2")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    const order = agent.received.map(({ method, id }) => method ?? id);
    expect(order.indexOf("session/cancel")).toBeLessThan(order.indexOf("q1"));
  });

  test("a question that crosses it on the wire is answered at once, and no policy is asked (V1-PERM-05)", async () => {
    const permissions = vi.fn();
    const { agent, session, turn, prompt } = await openTurn({ permissions });
    const ended = turn.cancel();
    agent.ask("q", "s-1");
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    agent.answer(prompt, { stopReason: "cancelled" });
    await ended;
    expect(permissions).not.toHaveBeenCalled();
    agent.ask("q2", "s-1");
    await settle(agent);
    expect(permissions).toHaveBeenCalledTimes(1);
    expect(session.state.pendingPermissions).toHaveLength(1);
  });

  test.each(["end_turn", "refusal", "max_tokens"])(
    "may end as %s: the turn was over (V1-CANCEL-10)",
    async (reason) => {
      const { agent, turn, prompt, session } = await openTurn();
      const ended = turn.cancel();
      agent.answer(prompt, { stopReason: reason });
      expect(await ended).toEqual({ stopReason: reason, agentConfirmed: true });
      expect(session.state.lastTurn).toMatchObject({ stopReason: reason });
    },
  );

  test("an answer of -32800 is a cancelled turn and no failure (V1-ERR-04)", async () => {
    const { agent, turn, prompt, session } = await openTurn();
    const ended = turn.cancel();
    agent.refuse(prompt, -32800, "Request cancelled");
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "cancelled" });
    expect(session.state.lastTurn?.error).toBeUndefined();
  });

  test("nothing ends before the agent says so", async () => {
    const { agent, turn, session } = await openTurn();
    const over = vi.fn();
    void turn.cancel().then(over);
    await settle(agent);
    expect(over).not.toHaveBeenCalled();
    expect(session.state.activity.state).toBe("running");
  });

  test("of a turn that is over sends nothing (V1-CANCEL-09)", async () => {
    const { agent, turn, prompt } = await openTurn();
    agent.answer(prompt, { stopReason: "end_turn" });
    await turn.ended;
    expect(await turn.cancel()).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    await settle(agent);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("from a listener of the prompt itself comes after the prompt on the wire", async () => {
    const { agent, session } = await openSession();
    session.onEvent((event) => {
      if (event.type === "prompt_sent") void session.cancel();
    });
    session.prompt("hi");
    await agent.call("session/cancel");
    expect(agent.received.slice(-2).map(({ method }) => method)).toEqual(["session/prompt", "session/cancel"]);
  });

  test("leaves other sessions alone (V1-CANCEL-12)", async () => {
    const opened = await openTurn();
    const other = await newSession(opened, "s-2");
    other.prompt("there");
    opened.agent.ask("q", "s-2");
    opened.agent.update("s-2", toolCall("t1", "pending"));
    await settle(opened.agent);
    void opened.turn.cancel();
    await opened.agent.call("session/cancel");
    await settle(opened.agent);
    expect(opened.agent.count("session/cancel")).toBe(1);
    expect(other.state.pendingPermissions).toHaveLength(1);
    expect(other.state.timeline.toArray()).toContainEqual(expect.objectContaining({ status: "pending" }));
  });

  test("lets a prompt that waits have its turn", async () => {
    const { agent, session, turn, prompt } = await openTurn();
    const next = session.prompt("next");
    void turn.cancel();
    agent.answer(prompt, { stopReason: "cancelled" });
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect((await next.ended).stopReason).toBe("end_turn");
  });
});

describe("a cancel of a turn that waits", () => {
  test("ends it without a word to the agent, and it is never sent", async () => {
    const { agent, session, turn, prompt } = await openTurn();
    const waiting = session.prompt("never");
    expect(await waiting.cancel()).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    agent.answer(prompt, { stopReason: "end_turn" });
    await turn.ended;
    await settle(agent);
    expect(agent.count("session/cancel")).toBe(0);
    expect(agent.count("session/prompt")).toBe(1);
    expect(session.state.timeline.length).toBe(1);
  });

  test("ends a loop over it", async () => {
    const { session } = await openTurn();
    const waiting = session.prompt("never");
    const seen: SessionEvent[] = [];
    const looped = (async () => {
      for await (const event of waiting) seen.push(event);
    })();
    await waiting.cancel();
    await looped;
    expect(seen).toEqual([]);
  });
});

describe("a cancel of the session", () => {
  test("ends the running turn and those that wait, by one notification", async () => {
    const { agent, session, turn, prompt } = await openTurn();
    const waiting = [session.prompt("b"), session.prompt("c")];
    const cancelled = session.cancel();
    agent.answer(prompt, { stopReason: "cancelled" });
    await cancelled;
    for (const one of [turn, ...waiting]) expect(await one.ended).toMatchObject({ stopReason: "cancelled" });
    await settle(agent);
    expect(agent.count("session/cancel")).toBe(1);
    expect(agent.count("session/prompt")).toBe(1);
  });

  test("without a turn sends nothing (V1-CANCEL-09)", async () => {
    const { agent, session } = await openSession();
    await session.cancel();
    await settle(agent);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("settles although the turn fails", async () => {
    const { agent, session, prompt } = await openTurn();
    const cancelled = session.cancel();
    agent.answer(prompt, { stopReason: 7 });
    await cancelled;
  });

  test("tells listeners that it was asked, and what followed, in order", async () => {
    const { agent, session, prompt } = await openTurn();
    const reported: string[] = [];
    session.onEvent((event) => void reported.push(event.type));
    agent.ask("q", "s-1");
    await settle(agent);
    const cancelled = session.cancel();
    agent.send(RawAgent.update("s-1", chunk("bye")), RawAgent.result(prompt, { stopReason: "cancelled" }));
    await cancelled;
    expect(reported).toEqual([
      ...["user_message", "state_update", "prompt_accepted", "state_update", "permission_asked"],
      ...["cancel_asked", "permission_answered", "agent_message_chunk", "state_update", "turn_ended"],
    ]);
  });
});
