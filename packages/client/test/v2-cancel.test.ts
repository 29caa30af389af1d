import { describe, expect, test, vi } from "vitest";
import { ask, echo, idle, openDraftSession, openDraftTurn, piece, running } from "./draft-agent.js";
import { RawAgent, settle } from "./raw-agent.js";

const dismissed = { result: { outcome: { outcome: "cancelled" } } };
const tool = (toolCallId: string, more: object = {}) => ({ sessionUpdate: "tool_call_update", toolCallId, ...more });
const about = (toolCallId: string) => ({ type: "tool_call", toolCall: { toolCallId } });

async function working(background?: readonly object[]) {
  const opened = await openDraftTurn();
  opened.agent.answer(opened.prompt, { messageId: "u-1" });
  opened.agent.update("s-1", { ...running, ...(background ? { background } : { background: undefined }) });
  await settle(opened.agent);
  return opened;
}

describe("a cancel of work", () => {
  test("is told to the agent, whose idle is the end (V2-CAN-01, V2-CAN-03, V2-CAN-05)", async () => {
    const { agent, session, turn } = await working([]);
    agent.update("s-1", tool("t", { status: "in_progress" }));
    await settle(agent);
    const ended = turn.cancel();
    expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "s-1" });
    expect(session.state).toMatchObject({ cancelling: true, activity: { state: "running" } });
    expect(session.state.timeline.at(-1)).toMatchObject({ status: "cancelled" });
    agent.update("s-1", tool("t", { status: "completed" }), piece("bye"), idle("cancelled"));
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(session.state.timeline.at(1)).toMatchObject({ status: "completed" });
    expect(session.state.cancelling).toBe(false);
  });

  test("that crosses the end finds it done (V2-CAN-03)", async () => {
    const { agent, turn } = await working([]);
    const ended = turn.cancel();
    agent.update("s-1", idle("end_turn"));
    expect(await ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("before the agent took the prompt ends it as cancelled, whichever way it says so (V2-CAN-08, V2-PRM-07)", async () => {
    const { agent, turn, prompt, session } = await openDraftTurn();
    const ended = turn.cancel();
    await agent.call("session/cancel");
    agent.refuse(prompt, -32800, "Request cancelled");
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(session.state.timeline.at(0)).toMatchObject({ prompt: { status: "failed" } });
  });

  test("of a session that works unasked is told too (V2-PRM-23, V2-CAN-01)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", running);
    await settle(agent);
    await session.cancel();
    await agent.call("session/cancel");
    expect(session.state.cancelling).toBe(true);
  });
});

describe("a prompt that the agent holds", () => {
  async function holding() {
    const opened = await working([]);
    const held = opened.session.prompt("next");
    return { ...opened, held, second: await opened.agent.call("session/prompt") };
  }

  test("is withdrawn alone, and once (V2-PRM-07, V2-CAN-07; trap 37)", async () => {
    const { agent, turn, held, second } = await holding();
    const ended = held.cancel();
    void held.cancel();
    expect((await agent.call("$/cancel_request")).params).toEqual({ requestId: second.id });
    agent.refuse(second, -32800, "Request cancelled");
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect([agent.count("$/cancel_request"), agent.count("session/cancel")]).toEqual([1, 0]);
    agent.update("s-1", idle("end_turn"));
    expect((await turn.ended).stopReason).toBe("end_turn");
  });

  test("and that was taken before the withdrawal came ends with the work (V2-PRM-07, V2-CAN-08)", async () => {
    const { agent, held, second } = await holding();
    const ended = held.cancel();
    agent.answer(second, { messageId: "u-2" });
    await agent.call("session/cancel");
    agent.update("s-1", idle("cancelled"));
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
  });

  test("behind work that nobody asked for is withdrawn alone, and that work goes on (V2-PRM-07, V2-PRM-23)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", running);
    await settle(agent);
    const ended = session.prompt("next").cancel();
    const held = await agent.call("session/prompt");
    expect((await agent.call("$/cancel_request")).params).toEqual({ requestId: held.id });
    agent.refuse(held, -32800, "Request cancelled");
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(agent.count("session/cancel")).toBe(0);
    expect(session.state).toMatchObject({ cancelling: false, activity: { state: "running" } });
  });

  test("may have begun work of its own when that of before is over, which ends with it (V2-PRM-10)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", running);
    await settle(agent);
    const turn = session.prompt("next");
    await agent.call("session/prompt");
    agent.update("s-1", idle("end_turn"), running);
    await settle(agent);
    void turn.cancel();
    await agent.call("session/cancel");
    expect(agent.count("$/cancel_request")).toBe(0);
  });

  test("ends with a cancel of the session; one sent after that does not (V2-CAN-01, V2-PRM-07)", async () => {
    const { agent, session, turn, held, second } = await holding();
    const cancelled = session.cancel();
    const later = session.prompt("after");
    const third = await agent.call("session/prompt");
    agent.refuse(second, -32800, "Request cancelled");
    agent.update("s-1", idle("cancelled"));
    await cancelled;
    expect([await turn.ended, await held.ended]).toMatchObject([
      { stopReason: "cancelled" },
      { stopReason: "cancelled" },
    ]);
    expect(agent.count("session/cancel")).toBe(1);
    agent.answer(third, { messageId: "u-3" });
    agent.update("s-1", running, idle("end_turn"));
    expect((await later.ended).stopReason).toBe("end_turn");
  });
});

describe("questions and a cancel", () => {
  test("a question that the agent withdraws is answered as cancelled (V2-PERM-11, V2-CAN-02)", async () => {
    const { agent, session, turn } = await working();
    ask(agent, "q");
    await settle(agent);
    void turn.cancel();
    await agent.call("session/cancel");
    await settle(agent);
    // Without a list of background work nobody here knows whose question it is.
    expect(session.state.pendingPermissions).toHaveLength(1);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "q" } });
    expect(await agent.answerTo("q")).toMatchObject(dismissed);
    expect(session.state.pendingPermissions).toEqual([]);
  });

  test("questions of listed background work stay open, others go at once (V2-PERM-12, V2-SEED-11)", async () => {
    const { agent, session, turn } = await working([{ type: "tool_call", toolCallId: "watcher" }]);
    ask(agent, "front", about("t"));
    ask(agent, "back", about("watcher"));
    ask(agent, "unknown");
    await settle(agent);
    void turn.cancel();
    expect(await agent.answerTo("front")).toMatchObject(dismissed);
    await settle(agent);
    expect(session.state.pendingPermissions).toHaveLength(2);
    session.answer(session.state.pendingPermissions[0]?.requestId as string, { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("back")).toMatchObject({ result: { outcome: { outcome: "selected" } } });
  });

  test("where nothing runs in the background all of them go, also one that crosses the cancel (V2-PERM-12)", async () => {
    const permissions = vi.fn();
    const { agent, turn, prompt } = await openDraftTurn(undefined, { permissions });
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running);
    await settle(agent);
    void turn.cancel();
    ask(agent, "q");
    expect(await agent.answerTo("q")).toMatchObject(dismissed);
    expect(permissions).not.toHaveBeenCalled();
  });

  test("an agent that names no messages may be an older one: all of them go (V2-SEED-11)", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, {});
    agent.update("s-1", { sessionUpdate: "state_update", state: "running" });
    ask(agent, "q");
    await settle(agent);
    void turn.cancel();
    expect(await agent.answerTo("q")).toMatchObject(dismissed);
  });
});

describe("questions", () => {
  test("are put with their own words, and fold what they say of a call (V2-PERM-01, V2-PERM-04; trap 20)", async () => {
    const { agent, session } = await openDraftSession();
    ask(agent, "q", { type: "tool_call", toolCall: { toolCallId: "t", title: "Edit a.ts", kind: "edit" } });
    await settle(agent);
    expect(session.state.pendingPermissions).toMatchObject([{ title: "May I?" }]);
    expect(session.state.timeline.at(0)).toMatchObject({ title: "Edit a.ts", kind: "edit", status: "pending" });
    const [question] = session.state.pendingPermissions;
    expect(() => session.answer(question?.requestId as string, { outcome: "selected", optionId: "other" })).toThrow(
      "does not offer",
    );
    expect(() => session.answer(question?.requestId as string, { action: "accept" })).toThrow("one of its options");
    session.answer(question?.requestId as string, { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q")).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  });

  test("about a command change nothing that is shown; malformed subjects are refused (V2-PERM-03, V2-PERM-04)", async () => {
    const { agent, session } = await openDraftSession();
    ask(agent, "a", { type: "command", command: "npm test", cwd: "/work" });
    ask(agent, "b", { type: "command", command: "npm test" });
    expect(await agent.answerTo("b")).toMatchObject({ error: { code: -32602 } });
    expect(session.state.pendingPermissions).toMatchObject([{ subject: { command: "npm test" } }]);
    expect(session.state.timeline.length).toBe(0);
  });

  test("without options are refused (V2-PERM-01)", async () => {
    const { agent } = await openDraftSession();
    agent.request("q", "session/request_permission", { sessionId: "s-1", title: "May I?", options: [] });
    expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32602 } });
  });
});

describe("close", () => {
  test("ends work, and held prompts whose answers come before or after its own (V2-SES-15, V2-SES-16)", async () => {
    const { agent, session, turn } = await working([]);
    const held = session.prompt("never");
    const second = await agent.call("session/prompt");
    const closing = session.close();
    const asked = await agent.call("session/close");
    agent.send(RawAgent.update("s-1", idle("cancelled")), RawAgent.result(asked, {}));
    await closing;
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(await held.ended).toMatchObject({ stopReason: "cancelled", agentConfirmed: false });
    const { state } = session;
    expect(state.timeline.at(1)).toMatchObject({ prompt: { status: "failed" } });
    agent.refuse(second, -32800, "Request cancelled");
    await settle(agent);
    expect(session.state).toBe(state);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("of a session that the agent does not know is a success (V2-SES-18; trap 27)", async () => {
    const { agent, session } = await openDraftSession();
    const closing = session.close();
    agent.refuse(await agent.call("session/close"), -32002, "Resource not found", { sessionId: "s-1" });
    await closing;
    expect(session.state.closed).toBe(true);
  });

  test("dismisses every question, of the background too (V2-SES-19)", async () => {
    const { agent, session } = await working([{ type: "tool_call", toolCallId: "watcher" }]);
    ask(agent, "q", about("watcher"));
    await settle(agent);
    void session.close();
    expect(await agent.answerTo("q")).toMatchObject(dismissed);
  });

  test("a connection that is lost fails what is open, and shows which prompts were never taken", async () => {
    const { agent, session, turn } = await working([]);
    const held = session.prompt("never");
    await agent.call("session/prompt");
    await agent.close();
    for (const one of [turn, held]) await expect(one.ended).rejects.toMatchObject({ code: "connection_closed" });
    expect(session.state).toMatchObject({ closed: true, activity: { state: "idle" } });
    expect(session.state.timeline.at(1)).toMatchObject({ prompt: { status: "failed" } });
  });
});

describe("one tool call, one terminal", () => {
  test("are cancelled where they offer it (V2-TOOL-11, V2-TOOL-12, V2-TERM-11, V2-TERM-12)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", tool("t", { status: "in_progress", capabilities: { cancel: {} } }), {
      sessionUpdate: "terminal_update",
      terminalId: "x",
      capabilities: { cancel: {} },
    });
    await settle(agent);
    const first = session.cancelToolCall("t");
    const call = await agent.call("tool_call/cancel");
    expect(call.params).toEqual({ sessionId: "s-1", toolCallId: "t" });
    agent.answer(call, {});
    await first;
    expect(session.state.timeline.at(0)).toMatchObject({ status: "in_progress" });
    const second = session.cancelTerminal("x");
    const terminal = await agent.call("terminal/cancel");
    expect(terminal.params).toEqual({ sessionId: "s-1", terminalId: "x" });
    agent.refuse(terminal, -32602, "exited");
    await expect(second).rejects.toMatchObject({ code: -32602 });
  });

  test("are refused here where they do not offer it, or no more (V2-TOOL-10, V2-DEC-11; trap 21)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update(
      "s-1",
      tool("a", { capabilities: { cancel: {} } }),
      tool("a", { capabilities: 7 }),
      tool("b", { capabilities: { cancel: null } }),
    );
    await settle(agent);
    for (const id of ["a", "b", "nobody"]) {
      await expect(session.cancelToolCall(id)).rejects.toMatchObject({ code: "capability" });
    }
    await expect(session.cancelTerminal("x")).rejects.toMatchObject({ code: "capability" });
    expect(agent.count("tool_call/cancel") + agent.count("terminal/cancel")).toBe(0);
  });
});

test("a user message and a thought may share their id (V2-UPD-09; trap 13)", async () => {
  const { agent, session, turn, prompt } = await openDraftTurn();
  const thought = { sessionUpdate: "agent_thought", messageId: "u-1", content: [{ type: "text", text: "hm" }] };
  agent.update("s-1", thought, echo("u-1"));
  agent.answer(prompt, { messageId: "u-1" });
  await turn.accepted;
  expect(session.state.timeline.toArray().map((entry) => "role" in entry && entry.role)).toEqual(
    expect.arrayContaining(["thought", "user"]),
  );
  expect(session.state.timeline.length).toBe(2);
});
