import { describe, expect, test, vi } from "vitest";
import { echo, idle, openDraftSession, openDraftTurn, piece, running } from "./draft-agent.js";
import { isSettled, openSession, settle } from "./raw-agent.js";

describe("a prompt during a turn, where prompts are rejected", () => {
  test("throws, and what is open goes on (V1-PROMPT-14)", async () => {
    const { agent, session } = await openSession({ whilePrompting: "reject" });
    const turn = session.prompt("one");
    const prompt = await agent.call("session/prompt");
    expect(() => session.prompt("two")).toThrow(expect.objectContaining({ code: "state" }));
    expect(() => session.prompt("two")).toThrow(/open turn.*cancel/);
    agent.answer(prompt, { stopReason: "end_turn" });
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
    session.prompt("three");
    expect((await agent.call("session/prompt")).params.prompt).toMatchObject([{ text: "three" }]);
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("so in version 2, where the agent could hold it (V2-PRM-06)", async () => {
    const { agent, session } = await openDraftSession(undefined, { whilePrompting: "reject" });
    session.prompt("one");
    await agent.call("session/prompt");
    expect(() => session.prompt("two")).toThrow(expect.objectContaining({ code: "state" }));
    expect(agent.count("session/prompt")).toBe(1);
  });
});

describe("a prompt during a turn, where prompts replace", () => {
  test("cancels what runs and what waits, and follows its end (V1-PROMPT-14)", async () => {
    const { agent, session } = await openSession({ whilePrompting: "replace" });
    const turns = ["one", "two", "three"].map((text) => session.prompt(text));
    const first = await agent.call("session/prompt");
    await agent.call("session/cancel");
    expect(await turns[1]?.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(1);
    agent.answer(first, { stopReason: "cancelled" });
    expect(await turns[0]?.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    const last = await agent.call("session/prompt");
    expect(last.params.prompt).toMatchObject([{ text: "three" }]);
    agent.answer(last, { stopReason: "end_turn" });
    expect(await turns[2]?.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("so in version 2: the cancel goes before the prompt, which the agent holds (V2-PRM-07)", async () => {
    const { agent, session } = await openDraftSession(undefined, { whilePrompting: "replace" });
    const one = session.prompt("one");
    agent.answer(await agent.call("session/prompt"), { messageId: "u-1" });
    agent.update("s-1", running);
    await settle(agent);
    const two = session.prompt("two");
    const second = await agent.call("session/prompt");
    const methods = agent.received.map(({ method }) => method).filter((method) => /prompt|cancel/.test(method ?? ""));
    expect(methods).toEqual(["session/prompt", "session/cancel", "session/prompt"]);
    agent.update("s-1", idle("cancelled"), echo("u-2", "two"), running);
    agent.answer(second, { messageId: "u-2" });
    expect(await one.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    agent.update("s-1", piece("done"), idle("end_turn"));
    expect(await two.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });
});

describe("an agent that does not end a cancelled turn", () => {
  test.each([
    ["version 1", openSession],
    ["version 2", (options: object) => openDraftSession(undefined, options)],
  ])("is not waited for, in %s; a second cancel gives it no more time", async (_, open) => {
    vi.useFakeTimers();
    try {
      const { agent, session } = await open({ cancelGraceMs: 1_000 });
      const turn = session.prompt("one");
      await agent.call("session/prompt");
      const ended = turn.cancel();
      await vi.advanceTimersByTimeAsync(600);
      void turn.cancel();
      await vi.advanceTimersByTimeAsync(399);
      expect(await isSettled(ended)).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is heard all the same: the session is told, no loop over the turn, and its late answer ends nothing", async () => {
    const reported: string[] = [];
    const { agent, session } = await openSession(
      { cancelGraceMs: 1 },
      { onEvent: (event) => void (event.type === "agent_message_chunk" && reported.push(event.type)) },
    );
    const dead = session.prompt("one");
    const looped: string[] = [];
    const loop = (async () => {
      for await (const event of dead) looped.push(event.type);
    })();
    const first = await agent.call("session/prompt");
    expect(await dead.cancel()).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    await loop;
    const next = session.prompt("two");
    const second = await agent.call("session/prompt");
    agent.say("s-1", "of the dead turn");
    agent.answer(first, { stopReason: "end_turn" });
    await settle(agent);
    expect(reported).toEqual(["agent_message_chunk"]);
    expect(looped).not.toContain("agent_message_chunk");
    expect(await isSettled(next.ended)).toBe(false);
    agent.answer(second, { stopReason: "max_tokens" });
    expect(await next.ended).toEqual({ stopReason: "max_tokens", agentConfirmed: true });
    expect(await dead.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
  });

  test("holds no timer when it ends in time, and is waited for without end where that is asked for", async () => {
    vi.useFakeTimers();
    try {
      const { agent, session } = await openSession({ cancelGraceMs: Number.POSITIVE_INFINITY });
      const waiting = session.prompt("one").cancel();
      agent.answer(await agent.call("session/prompt"), { stopReason: "cancelled" });
      expect(await waiting).toEqual({ stopReason: "cancelled", agentConfirmed: true });
      const endless = session.prompt("two").cancel();
      await agent.call("session/prompt");
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      expect(await isSettled(endless)).toBe(false);
      expect(vi.getTimerCount()).toBe(0);
      const timely = await openSession();
      const ended = timely.session.prompt("one").cancel();
      timely.agent.answer(await timely.agent.call("session/prompt"), { stopReason: "cancelled" });
      await ended;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("a prompt held by a version 2 agent that ignores its withdrawal is given up alone", async () => {
  vi.useFakeTimers();
  try {
    const { agent, session, turn, prompt } = await openDraftTurn(undefined, { cancelGraceMs: 50 });
    agent.answer(prompt, { messageId: "u-1" });
    agent.update("s-1", running);
    await settle(agent);
    const held = session.prompt("two");
    await agent.call("session/prompt");
    const withdrawn = held.cancel();
    await vi.advanceTimersByTimeAsync(50);
    expect(await withdrawn).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    expect(await isSettled(turn.ended)).toBe(false);
    agent.update("s-1", idle("end_turn"));
    expect(await turn.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  } finally {
    vi.useRealTimers();
  }
});
