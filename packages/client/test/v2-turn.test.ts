import { describe, expect, test, vi } from "vitest";
import { echo, idle, NOW, openDraftSession, openDraftTurn, piece, running } from "./draft-agent.js";
import { isSettled, RawAgent, settle } from "./raw-agent.js";

describe("a prompt", () => {
  test("is taken by its answer and ends at idle (V2-PRM-01, V2-PRM-02, V2-PRM-19; trap 1)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    expect(prompt.params).toMatchObject({ sessionId: "s-1", prompt: [{ type: "text", text: "hi" }] });
    expect(session.state.activity.state).toBe("idle");
    agent.send(RawAgent.update("s-1", echo("u-1")), RawAgent.result(prompt, { messageId: "u-1" }));
    await turn.accepted;
    agent.update("s-1", running, piece("Forty"));
    await settle(agent);
    expect(await isSettled(turn.ended)).toBe(false);
    expect(session.state.activity.state).toBe("running");
    agent.update("s-1", idle("end_turn", { background: [] }));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
    expect(session.state.timeline.toArray()).toMatchObject([
      { role: "user", messageId: "u-1", prompt: { promptId: turn.promptId, status: "accepted" } },
      { role: "agent" },
    ]);
  });

  const shown = { echo: echo("u-1"), running, done: idle("end_turn") };
  test.each([
    [["echo", "answer", "running", "done"]],
    [["answer", "echo", "running", "done"]],
    [["running", "echo", "answer", "done"]],
    [["running", "answer", "done", "echo"]],
    [["echo", "running", "answer", "done"]],
    [["echo", "running", "done", "answer"]],
    [["running", "echo", "done", "answer"]],
    [["echo", "done", "answer"]],
    [["answer", "done"]],
  ] as const)("ends once in whatever order its parts come: %j (V2-PRM-04, V2-PRM-10; traps 2, 3)", async (order) => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    const answer = RawAgent.result(prompt, { messageId: "u-1" });
    agent.send(...order.map((what) => (what === "answer" ? answer : RawAgent.update("s-1", shown[what]))));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(session.state.timeline.length).toBe(1);
    expect(session.state.timeline.at(0)).toMatchObject({ messageId: "u-1", prompt: { promptId: turn.promptId } });
  });

  test("ends with the error of the work, not of the prompt (V2-PRM-05, V2-PRM-15)", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    const error = { code: -32603, message: "Model unreachable" };
    agent.update("s-1", running, idle("error", { error }));
    expect(await turn.ended).toEqual({ stopReason: "error", error, agentConfirmed: true });
  });

  test("that is refused was never part of the conversation (V2-PRM-05)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    agent.refuse(prompt, -32602, "no");
    expect(await turn.ended).toMatchObject({ stopReason: "error", error: { code: -32602 }, agentConfirmed: true });
    expect(session.state.timeline.at(0)).toMatchObject({ prompt: { status: "failed" } });
    expect(session.state.activity.state).toBe("idle");
  });

  test("an idle that answers work from before it is not its end (V2-PRM-18)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", running);
    await settle(agent);
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    agent.send(
      RawAgent.update("s-1", idle("end_turn")),
      RawAgent.update("s-1", echo("u-1")),
      RawAgent.result(prompt, { messageId: "u-1" }),
      RawAgent.update("s-1", running),
    );
    await settle(agent);
    expect(await isSettled(turn.ended)).toBe(false);
    agent.update("s-1", idle("refusal"));
    expect((await turn.ended).stopReason).toBe("refusal");
  });

  test("the same idle again is no second end (V2-PRM-17; trap 7)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running, idle("end_turn", { background: [{ type: "tool_call", toolCallId: "t" }] }));
    await turn.ended;
    const next = session.prompt("more");
    agent.answer(await agent.call("session/prompt"), { messageId: "u-2" });
    agent.update("s-1", idle("end_turn"));
    await settle(agent);
    expect(await isSettled(next.ended)).toBe(false);
    expect(session.state.activity.background).toBeUndefined();
    agent.update("s-1", running, idle("max_tokens"));
    expect((await next.ended).stopReason).toBe("max_tokens");
  });

  test("a state that nobody knows is neither idle nor an end (V2-PRM-20; trap 6)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running, { sessionUpdate: "state_update", state: "_dreaming", background: [7] });
    await settle(agent);
    expect(session.state.activity).toMatchObject({ state: "_dreaming", lastKnown: "running" });
    expect(await isSettled(turn.ended)).toBe(false);
    agent.update("s-1", idle());
    expect(await turn.ended).toEqual({ agentConfirmed: true });
  });

  test("the end settles after every listener call of it", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    const received: string[] = [];
    session.onEvent(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      received.push(event.type);
    });
    agent.send(
      RawAgent.result(prompt, { messageId: "u-1" }),
      RawAgent.update("s-1", running),
      RawAgent.update("s-1", idle("end_turn")),
    );
    await turn.ended;
    expect(received).toEqual(["prompt_accepted", "state_update", "state_update", "turn_ended"]);
  });

  test("an idle session that takes it and then says nothing ends it without confirmation (V2-PRM-19)", async () => {
    vi.useFakeTimers();
    try {
      const { agent, turn, prompt } = await openDraftTurn();
      agent.answer(prompt, { messageId: "u-1" });
      await turn.accepted;
      await vi.advanceTimersByTimeAsync(2_900);
      agent.update("s-1", piece("still here"));
      await vi.advanceTimersByTimeAsync(2_900);
      expect(await isSettled(turn.ended)).toBe(false);
      await vi.advanceTimersByTimeAsync(3_200);
      expect(await turn.ended).toEqual({ agentConfirmed: false });
    } finally {
      vi.useRealTimers();
    }
  });

  test.each(["before", "after"])(
    "a session that works %s its answer may be silent for ever (V2-SEED-03; trap 37)",
    async (when) => {
      vi.useFakeTimers();
      try {
        const { agent, turn, prompt } = await openDraftTurn();
        if (when === "before") agent.update("s-1", running);
        agent.answer(prompt, { messageId: "u-1" });
        if (when === "after") agent.update("s-1", running);
        await turn.accepted;
        await vi.advanceTimersByTimeAsync(3_600_000);
        expect(await isSettled(turn.ended)).toBe(false);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test("without content, or with content that the agent does not take, is not sent (V2-PRM-08; trap 18)", async () => {
    const said = { ...NOW, capabilities: { session: {} } };
    const { session } = await openDraftSession(said);
    expect(() => session.prompt([])).toThrow(expect.objectContaining({ code: "invalid_message" }));
    const image = { type: "image", data: "", mimeType: "image/png" } as const;
    expect(() => session.prompt([image])).toThrow(expect.objectContaining({ code: "capability" }));
  });
});

describe("prompts while the agent works", () => {
  test("are sent at once, held by the agent, and taken in their order (V2-PRM-06; trap 37)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running);
    const held = session.prompt("and then");
    const second = await agent.call("session/prompt");
    await settle(agent);
    expect(await isSettled(held.accepted)).toBe(false);
    agent.update("s-1", idle("end_turn"));
    expect((await turn.ended).stopReason).toBe("end_turn");
    agent.send(
      RawAgent.update("s-1", echo("u-2")),
      RawAgent.result(second, { messageId: "u-2" }),
      RawAgent.update("s-1", running),
      RawAgent.update("s-1", idle("refusal")),
    );
    expect((await held.ended).stopReason).toBe("refusal");
  });

  test("may join the work: one idle ends them all (V2-PRM-11, V2-PRM-19)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    const other = session.prompt("also this");
    const second = await agent.call("session/prompt");
    agent.update("s-1", running);
    agent.answer(prompt, { messageId: "u-1" });
    agent.answer(second, { messageId: "u-2" });
    agent.update("s-1", idle("end_turn"));
    for (const one of [turn, other]) expect(await one.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("are bounded", async () => {
    const { session } = await openDraftSession();
    for (let n = 0; n < 100; n++) session.prompt(`${n}`);
    expect(() => session.prompt("one more")).toThrow(expect.objectContaining({ code: "too_many_requests" }));
  });
});

describe("work that nobody asked for", () => {
  test("is shown like any other (V2-PRM-23; trap 4)", async () => {
    const { agent, session } = await openDraftSession();
    const received: string[] = [];
    session.onEvent((event) => void received.push(event.type));
    agent.update("s-1", running, piece("by the way"));
    await settle(agent);
    expect(session.state.activity).toMatchObject({ state: "running", origin: "reported" });
    agent.update("s-1", idle("end_turn"));
    await settle(agent);
    expect(session.state).toMatchObject({ activity: { state: "idle" }, lastTurn: { stopReason: "end_turn" } });
    expect(received).toEqual(["state_update", "agent_message_chunk", "state_update"]);
  });
});

describe("agents of the drafts between (mid)", () => {
  test("answer with nothing when they take a prompt; idle is the end (V2-SEED-02, V2-SEED-08)", async () => {
    const { agent, session, turn, prompt } = await openDraftTurn();
    agent.send(RawAgent.result(prompt, {}), RawAgent.update("s-1", echo("u-1")), RawAgent.update("s-1", running));
    await turn.accepted;
    agent.update("s-1", idle("end_turn"));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    expect(session.state.timeline.toArray()).toMatchObject([{ messageId: "u-1", prompt: { promptId: turn.promptId } }]);
  });

  test("may have finished when they answer (V2-SEED-02, V2-SEED-09)", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.update("s-1", echo("u-1"), running, idle("end_turn"));
    agent.answer(prompt, {});
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("write commands without a type (V2-CMD-04; trap 16)", async () => {
    const { agent, session } = await openDraftSession();
    const availableCommands = [{ name: "review", description: "Review", input: { hint: "branch" } }];
    agent.update("s-1", { sessionUpdate: "available_commands_update", availableCommands });
    await settle(agent);
    expect(session.state.availableCommands).toMatchObject([{ type: "command", input: { type: "text" } }]);
  });
});

test("an agent of version 2 that answers with a stop reason has ended the turn, once (V2-SEED-02, V2-SEED-08)", async () => {
  const { agent, session, turn, prompt } = await openDraftTurn();
  agent.update("s-1", running, idle("end_turn"));
  agent.answer(prompt, { stopReason: "end_turn", messageId: "u-1" });
  expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
});

describe("updates", () => {
  test("of a known kind that do not read are dropped and reported; others go on (V2-DEC-06, V2-DEC-09; trap 14)", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    agent.update("s-1", { sessionUpdate: "tool_call_update", toolCallId: 7 }, piece("fine"));
    await settle(agent);
    expect(session.state.timeline.length).toBe(1);
    expect(diagnostics).toMatchObject([{ code: "invalid_message", method: "session/update", sessionId: "s-1" }]);
  });

  test("of an unknown kind are kept; those of version 1 are read (V2-UPD-06, V2-SEED-06; trap 15)", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", { sessionUpdate: "_mine", x: 1 }, { sessionUpdate: "tool_call", toolCallId: "t", title: "T" });
    await settle(agent);
    expect(session.state.timeline.toArray()).toMatchObject([
      { type: "unknown" },
      { type: "tool_call", toolCallId: "t", title: "T" },
    ]);
  });

  test("that come before the session is known are its first (V2-SES-03, V2-SES-04, V2-UPD-07)", async () => {
    const { agent, client } = await openDraftSession();
    const opening = client.newSession({ cwd: "/work" });
    const asked = await agent.call("session/new");
    agent.update("s-2", running);
    agent.answer(asked, { sessionId: "s-2", availableCommands: [{ name: "a", description: "A" }] });
    const { state } = await opening;
    expect(state).toMatchObject({ activity: { state: "running" }, availableCommands: [{ name: "a" }] });
  });
});

test("an answer that is no object fails its turn, with method and path; the session goes on (V2-ENV-08, V2-DEC-12)", async () => {
  const { agent, session, turn, prompt } = await openDraftTurn();
  agent.answer(prompt, "done");
  await expect(turn.ended).rejects.toMatchObject({ code: "invalid_message", method: "session/prompt" });
  const next = session.prompt("again");
  agent.answer(await agent.call("session/prompt"), { messageId: "u-2" });
  agent.update("s-1", running, idle("end_turn"));
  expect(await next.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
});

test("a loop over a turn sees it from the prompt to its idle", async () => {
  const { agent, session } = await openDraftSession();
  const turn = session.prompt("hi");
  const seen: string[] = [];
  const looped = (async () => {
    for await (const event of turn) seen.push(event.type);
  })();
  const prompt = await agent.call("session/prompt");
  agent.answer(prompt, { messageId: "u-1" });
  agent.update("s-1", running, piece("x"), idle("end_turn"));
  await looped;
  agent.update("s-1", piece("later"));
  await settle(agent);
  expect(seen).toEqual(["prompt_accepted", "state_update", "agent_message_chunk", "state_update", "turn_ended"]);
});
