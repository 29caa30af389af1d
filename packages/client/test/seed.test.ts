import { describe, expect, test } from "vitest";
import { idle, openDraft, openDraftSession, openDraftTurn, piece, running, SEED } from "./draft-agent.js";
import { RawAgent, settle } from "./raw-agent.js";

describe("a turn with an agent of the seed draft", () => {
  test("ends with the answer; until then the agent works (V2-SEED-02, V2-SEED-07)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn(SEED);
    expect(session.state.activity).toMatchObject({ state: "running", origin: "request" });
    agent.send(RawAgent.update("s-1", piece("Forty")), RawAgent.result(prompt, { stopReason: "_budget_spent" }));
    expect(await turn.ended).toEqual({ stopReason: "_budget_spent", agentConfirmed: true });
    expect(session.state).toMatchObject({ activity: { state: "idle" }, lastTurn: { stopReason: "_budget_spent" } });
  });

  test("a message id beside the stop reason is used; without an echo the prompt stays as it is (V2-SEED-02, V2-SEED-09)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn(SEED);
    agent.answer(prompt, { stopReason: "end_turn", messageId: "u-1" });
    await turn.ended;
    expect(session.state.timeline.toArray()).toMatchObject([{ messageId: "u-1", prompt: { status: "accepted" } }]);
  });

  test("an error answer is its end, -32800 a cancelled one (V2-SEED-07, V2-ERR-02)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn(SEED);
    agent.refuse(prompt, -32603, "broke");
    expect(await turn.ended).toMatchObject({ stopReason: "error", error: { message: "broke" }, agentConfirmed: true });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "error" });
    const next = session.prompt("again");
    const ended = next.cancel();
    agent.refuse(await agent.call("session/prompt"), -32800, "Request cancelled");
    expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
  });

  test("prompts wait on this side: the draft knows no queue", async () => {
    const { agent, session, prompt } = await openDraftTurn(SEED);
    const next = session.prompt("next");
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(1);
    agent.answer(prompt, { stopReason: "end_turn" });
    agent.answer(await agent.call("session/prompt"), { stopReason: "refusal" });
    expect((await next.ended).stopReason).toBe("refusal");
  });

  test("its first sign of life is the acceptance; a real state ends the guessing (V2-SEED-07, V2-SEED-08)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn(SEED);
    agent.update("s-1", running);
    await turn.accepted;
    expect(session.state.activity.origin).toBe("reported");
    agent.update("s-1", idle("end_turn"));
    agent.answer(prompt, { stopReason: "end_turn" });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
  });

  test("an agent on its way to later drafts answers when it takes the prompt, and ends by idle (V2-SEED-02)", async () => {
    const { agent, turn, prompt } = await openDraftTurn(SEED);
    agent.answer(prompt, {});
    agent.update("s-1", running, idle("end_turn"));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("a cancel answers all questions at once, those that cross it too (V2-SEED-11)", async () => {
    const { agent, turn, prompt } = await openDraftTurn(SEED);
    agent.ask("q1", "s-1");
    await settle(agent);
    const ended = turn.cancel();
    agent.ask("q2", "s-1");
    for (const id of ["q1", "q2"]) {
      expect(await agent.answerTo(id)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    }
    agent.answer(prompt, { stopReason: "cancelled" });
    expect((await ended).stopReason).toBe("cancelled");
  });
});

describe("what the seed draft calls otherwise", () => {
  test("is read under its names (V2-SEED-01, V2-SEED-06)", async () => {
    const { agent, session } = await openDraftSession(SEED);
    const entries = [{ content: "Count", priority: "low", status: "pending" }];
    const diff = { type: "diff", path: "/work/a", oldText: "1", newText: "2" };
    agent.update(
      "s-1",
      { sessionUpdate: "plan_update", plan: { type: "items", id: "p-1", entries } },
      { sessionUpdate: "tool_call_update", toolCallId: "t", content: [diff] },
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "a", description: "A" }] },
    );
    agent.ask("q", "s-1", "t", "Edit a");
    await settle(agent);
    const { plans, timeline, availableCommands, pendingPermissions } = session.state;
    expect(plans.at(0)).toMatchObject({ planId: "p-1", entries });
    expect(timeline.at(0)).toMatchObject({ title: "Edit a", content: { length: 1 } });
    expect(availableCommands).toMatchObject([{ type: "command", name: "a" }]);
    expect(pendingPermissions).toMatchObject([{ title: "Edit a", subject: { type: "tool_call" } }]);
  });

  test("is sent with every list that it asks for (V2-SEED-05)", async () => {
    const { agent, client } = await openDraft(SEED);
    void client.newSession({ cwd: "/work" });
    expect((await agent.call("session/new")).params).toEqual({ cwd: "/work", mcpServers: [] });
    void client.newSession({ cwd: "/work", mcpServers: [{ type: "stdio", name: "a", command: "/a" }] });
    expect((await agent.call("session/new")).params.mcpServers).toMatchObject([{ args: [], env: [] }]);
  });

  test("options go with a type, which does no harm there (V2-SEED-05, V2-SEED-06)", async () => {
    const { agent, session } = await openDraftSession(SEED);
    const options = [{ value: "a", name: "A" }];
    const configOptions = [{ type: "select", id: "model", name: "Model", currentValue: "a", options }];
    agent.update("s-1", { sessionUpdate: "config_option_update", configOptions });
    await settle(agent);
    const set = session.setConfigOption("model", "a");
    const asked = await agent.call("session/set_config_option");
    expect(asked.params).toEqual({ sessionId: "s-1", configId: "model", type: "id", value: "a" });
    agent.answer(asked, { configOptions });
    await set;
    expect(session.state.configOptions).toMatchObject([{ configId: "model" }]);
  });
});

describe("restoring in the seed draft", () => {
  const session = (markers: object) => ({ ...SEED, capabilities: { session: markers } });

  test("loads where the agent can replay (V2-SEED-04)", async () => {
    const { agent, client } = await openDraft(session({ load: {}, resume: {} }));
    const restoring = client.restore("s-0", { cwd: "/work" });
    const asked = await agent.call("session/load");
    expect(asked.params).toEqual({ sessionId: "s-0", cwd: "/work", mcpServers: [] });
    agent.send(RawAgent.update("s-0", piece("a")), RawAgent.result(asked, null));
    expect(await restoring).toMatchObject({ status: "replayed", session: { state: { timeline: { length: 1 } } } });
  });

  test("resumes where it cannot, without a cursor that it would not know (V2-SEED-04)", async () => {
    const { agent, client } = await openDraft(session({ resume: {} }));
    const restoring = client.restore("s-0", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    expect(asked.params).toEqual({ sessionId: "s-0", cwd: "/work", mcpServers: [] });
    agent.answer(asked, {});
    expect(await restoring).toMatchObject({ status: "resumed" });
  });

  test("is refused where it can neither; close then tells it to cancel (V2-SEED-04)", async () => {
    const { agent, client, session: opened } = await openDraftSession(session({}));
    expect(await client.restore("s-0", { cwd: "/work" })).toMatchObject({
      status: "unavailable",
      reason: "unsupported",
    });
    const turn = opened.prompt("hi");
    await opened.close();
    await agent.call("session/cancel");
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    expect(agent.count("session/close")).toBe(0);
  });
});
