import { describe, expect, test, vi } from "vitest";
import { echo, idle, openDraftTurn, piece, running } from "./draft-agent.js";
import { isSettled, openSession, RawAgent, settle } from "./raw-agent.js";

const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };

describe("defect F12: the end of a turn", () => {
  test("has the usage of the answer, in version 1", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn", usage });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", usage, agentConfirmed: true });
  });

  test("has the usage of the idle state, in version 2", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running, idle("end_turn", { usage }));
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn", usage });
  });
});

describe("defect F12: the end of a turn has metadata", () => {
  const _meta = { "example.com/cost": 3 };

  test("of the answer, in version 1", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn", _meta });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", _meta, agentConfirmed: true });
  });

  test("of the idle state, in version 2", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running, idle("end_turn", { _meta }));
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn", _meta });
  });
});

describe("defect F12: the text of a turn", () => {
  test("is all that the agent answered to this prompt, and nothing of the turns around it", async () => {
    const { agent, session } = await openSession();
    for (const [asked, answered] of [
      ["one", ["1"]],
      ["two", ["2", "2b"]],
    ] as const) {
      const turn = session.prompt(asked);
      const call = await agent.call("session/prompt");
      for (const text of answered) {
        const messageId = `m-${text}`;
        agent.update("s-1", {
          ...{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
        });
        agent.update("s-1", { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
      }
      agent.answer(call, { stopReason: "end_turn" });
      expect(await turn.text()).toBe(answered.join("\n\n"));
    }
  });

  test("of an earlier turn stays the same after a later one", async () => {
    const { agent, session } = await openSession();
    const first = session.prompt("one");
    const second = session.prompt("two");
    for (const text of ["1", "2"]) {
      const call = await agent.call("session/prompt");
      agent.say("s-1", text);
      agent.answer(call, { stopReason: "end_turn" });
    }
    await second.ended;
    expect([await first.text(), await second.text()]).toEqual(["1", "2"]);
  });

  test("is empty for a prompt that was never sent, and rejects like the end when the connection is lost", async () => {
    const { agent, session } = await openSession();
    const first = session.prompt("one");
    await agent.call("session/prompt");
    agent.say("s-1", "1");
    const second = session.prompt("two");
    await second.cancel();
    expect(await second.text()).toBe("");
    await agent.close();
    await expect(first.text()).rejects.toMatchObject({ code: "connection_closed" });
  });

  test("is known in version 2 too", async () => {
    const { agent, turn, prompt } = await openDraftTurn();
    agent.send(RawAgent.update("s-1", echo("u-1")), RawAgent.result(prompt, { messageId: "u-1" }));
    agent.update("s-1", running, piece("Forty"), piece("-two"), idle("end_turn"));
    expect(await turn.text()).toBe("Forty-two");
  });
});

describe("defect F12: the signal of a prompt", () => {
  test("cancels its turn", async () => {
    const { agent, session } = await openSession();
    const abort = new AbortController();
    const turn = session.prompt("hi", { signal: abort.signal });
    const call = await agent.call("session/prompt");
    abort.abort();
    await agent.call("session/cancel");
    agent.answer(call, { stopReason: "cancelled" });
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
  });

  test("that is aborted already sends nothing", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi", { signal: AbortSignal.abort() });
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(0);
  });

  test("cancels only the prompt that waits", async () => {
    const { agent, session } = await openSession();
    const first = session.prompt("one");
    const abort = new AbortController();
    const second = session.prompt("two", { signal: abort.signal });
    abort.abort();
    expect(await second.ended).toMatchObject({ stopReason: "cancelled" });
    expect(await isSettled(first.ended)).toBe(false);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("holds nothing of a turn that is over", async () => {
    const { agent, session } = await openSession();
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    const turn = session.prompt("hi", { signal });
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    await settle(agent);
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
    expect(add).toHaveBeenCalledOnce();
  });
});
