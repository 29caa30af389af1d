import { describe, expect, test, vi } from "vitest";
import type { SessionEvent, Turn } from "../src/index.js";
import { chunk, gate, isSettled, openSession, RawAgent, settle } from "./raw-agent.js";

const label = (event: SessionEvent): string =>
  event.type === "agent_message_chunk" ? String((event.content as any).text) : event.type;

describe("a prompt", () => {
  test("is sent as it is, and shown at once (V1-PROMPT-02)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt([
      { type: "text", text: "look" },
      { type: "resource_link", uri: "file:///work/a.ts", name: "a.ts" },
    ]);
    expect(session.state.timeline.at(0)).toMatchObject({ role: "user", prompt: { promptId: turn.promptId } });
    expect(session.state.activity.state).toBe("running");
    expect((await agent.call("session/prompt")).params).toEqual({
      sessionId: "s-1",
      prompt: [
        { type: "text", text: "look" },
        { type: "resource_link", uri: "file:///work/a.ts", name: "a.ts" },
      ],
    });
  });

  test.each(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"])(
    "ends as the agent says: %s (V1-PROMPT-08)",
    async (stopReason) => {
      const { agent, session } = await openSession();
      const turn = session.prompt("hi");
      agent.answer(await agent.call("session/prompt"), { stopReason });
      expect(await turn.ended).toEqual({ stopReason, agentConfirmed: true });
      expect(session.state.lastTurn).toMatchObject({ promptId: turn.promptId, stopReason });
      expect(session.state.activity.state).toBe("idle");
    },
  );

  test("ends with the agent's error when that is the answer (V1-PROMPT-11, V1-ERR-02)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.refuse(await agent.call("session/prompt"), -32042, "model overloaded", { retry: 5 });
    const error = { code: -32042, message: "model overloaded", data: { retry: 5 } };
    expect(await turn.ended).toEqual({ stopReason: "error", error, agentConfirmed: true });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "error", error });
  });

  test("an unknown stop reason is an error with method and path; the session goes on (V1-LEN-06)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "bored" });
    await expect(turn.ended).rejects.toMatchObject({
      code: "invalid_message",
      method: "session/prompt",
      issues: [{ path: ["stopReason"] }],
    });
    expect(session.state.lastTurn).toMatchObject({ stopReason: "error" });
    const next = session.prompt("again");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect(await next.ended).toEqual({ stopReason: "end_turn", agentConfirmed: true });
  });

  test("nobody looks at the end of a turn that fails: nothing is unhandled", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { agent, session } = await openSession();
    session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: 7 });
    await settle(agent);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("nobody looks at the cancel of a turn that is lost: nothing is unhandled", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { agent, client, session } = await openSession();
    const turn = session.prompt("hi");
    await agent.call("session/prompt");
    void turn.cancel();
    await client.close();
    await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed" });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("usage beside the stop reason is in the state (V1-UNST-01)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn", usage, _meta: {} });
    await turn.ended;
    expect(session.state.lastTurn?.usage).toEqual(usage);
  });

  test.each([
    ["image", { type: "image", data: "AA==", mimeType: "image/png" }],
    ["audio", { type: "audio", data: "AA==", mimeType: "audio/wav" }],
    ["resource", { type: "resource", resource: { uri: "file:///a", text: "a" } }],
    ["_mine", { type: "_mine" } as never],
  ] as const)("with %s blocks that the agent does not take is refused here (V1-PROMPT-03)", async (type, block) => {
    const { agent, session } = await openSession({}, { agentCapabilities: {} });
    expect(() => session.prompt([block])).toThrow(
      expect.objectContaining({ code: "capability", message: expect.stringContaining(`no ${type} blocks`) }),
    );
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(0);
    expect(session.state.timeline.length).toBe(0);
  });

  test("with blocks that the agent takes is sent (V1-PROMPT-03)", async () => {
    const { agent, session } = await openSession();
    session.prompt([
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
    ]);
    expect((await agent.call("session/prompt")).params.prompt).toHaveLength(3);
  });
});

describe("accepted", () => {
  const signs: [string, (agent: RawAgent) => void][] = [
    ["an update", (agent) => agent.say("s-1", "1")],
    ["a question", (agent) => agent.ask("q", "s-1")],
    ["a read", (agent) => agent.request("r", "fs/read_text_file", { sessionId: "s-1", path: "/work/a" })],
  ];
  test.each(signs)("is %s of the agent, in the promise and in the state", async (_, give) => {
    const { agent, session } = await openSession({ files: { readTextFile: () => "" } });
    const turn = session.prompt("hi");
    await agent.call("session/prompt");
    await settle(agent);
    expect(await isSettled(turn.accepted)).toBe(false);
    expect(session.state.timeline.at(0)).toMatchObject({ prompt: { status: "sent" } });
    give(agent);
    await turn.accepted;
    expect(session.state.timeline.at(0)).toMatchObject({ prompt: { status: "accepted" } });
  });

  test("is the end, where there was no sign before", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.accepted;
  });
});

describe("ended", () => {
  test("settles after every listener call of the turn", async () => {
    const log: string[] = [];
    const { agent, session } = await openSession();
    session.onEvent(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(label(event));
    });
    const turn = session.prompt("hi");
    const ended = turn.ended.then(() => log.push("ended"));
    const prompt = await agent.call("session/prompt");
    agent.send(
      RawAgent.update("s-1", chunk("1")),
      RawAgent.update("s-1", chunk("2")),
      RawAgent.result(prompt, { stopReason: "end_turn" }),
      RawAgent.update("s-1", chunk("late")),
    );
    await ended;
    expect(log.filter((one) => one !== "late")).toEqual([
      "prompt_sent",
      "turn_started",
      "user_message",
      "state_update",
      "prompt_accepted",
      "1",
      "2",
      "state_update",
      "turn_ended",
      "ended",
    ]);
  });

  test("waits for a slow listener of an update from before the prompt, too", async () => {
    const slow = gate();
    const { agent, session } = await openSession();
    session.onEvent((event) => (label(event) === "early" ? slow.promise : undefined));
    agent.say("s-1", "early");
    await settle(agent);
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await settle(agent);
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
    expect(await isSettled(turn.ended)).toBe(false);
    slow.open();
    await turn.ended;
  });

  test("updates after the answer are told and folded without opening the turn again (V1-PROMPT-18)", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    agent.update("s-1", { sessionUpdate: "session_info_update", title: "Late title" });
    await settle(agent);
    expect(session.state).toMatchObject({ title: "Late title", activity: { state: "idle" } });
  });
});

describe("prompts during a turn", () => {
  test("wait on this side and are sent one after the other, in order (V1-PROMPT-14)", async () => {
    const { agent, session } = await openSession();
    const turns = ["a", "b", "c"].map((text) => session.prompt(text));
    for (const [index, turn] of turns.entries()) {
      const prompt = await agent.call("session/prompt");
      expect(prompt.params.prompt[0].text).toBe("abc"[index]);
      await settle(agent);
      expect(agent.count("session/prompt")).toBe(index + 1);
      agent.answer(prompt, { stopReason: "end_turn" });
      await turn.ended;
    }
  });

  test("the next is sent at receipt of the end, however slow listeners are", async () => {
    const never = gate();
    const { agent, session } = await openSession();
    session.onEvent(() => never.promise);
    session.prompt("a");
    session.prompt("b");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect((await agent.call("session/prompt")).params.prompt[0].text).toBe("b");
  });

  test("are bounded; one more is refused and the others are as they were", async () => {
    const { agent, session } = await openSession();
    for (let n = 0; n < 101; n++) session.prompt(`${n}`);
    expect(() => session.prompt("too many")).toThrow(expect.objectContaining({ code: "too_many_requests" }));
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    expect((await agent.call("session/prompt")).params.prompt[0].text).toBe("1");
    session.prompt("fits again");
  });

  test("a prompt from a listener of the prompt before it comes after that on the wire", async () => {
    const { agent, session } = await openSession();
    const stop = session.onEvent((event) => {
      if (event.type !== "prompt_sent") return;
      stop();
      session.prompt("second");
    });
    session.prompt("first");
    const prompt = await agent.call("session/prompt");
    expect(prompt.params.prompt[0].text).toBe("first");
    agent.answer(prompt, { stopReason: "end_turn" });
    expect((await agent.call("session/prompt")).params.prompt[0].text).toBe("second");
  });
});

/** Events of a prompt that the agent takes, and of a turn that it ends. */
const taken = ["user_message", "state_update", "prompt_accepted"];
const ended = ["state_update", "turn_ended"];

describe("a loop over a turn", () => {
  async function collect(turn: Turn, body?: (event: SessionEvent) => Promise<void> | void): Promise<string[]> {
    const seen: string[] = [];
    for await (const event of turn) {
      seen.push(label(event));
      await body?.(event);
    }
    return seen;
  }

  test("sees what happens until the turn ends, and nothing after it", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const seen = collect(turn);
    const prompt = await agent.call("session/prompt");
    agent.send(
      RawAgent.update("s-1", chunk("1")),
      RawAgent.update("s-1", chunk("2")),
      RawAgent.result(prompt, { stopReason: "end_turn" }),
      RawAgent.update("s-1", chunk("late")),
    );
    expect(await seen).toEqual([...taken, "1", "2", ...ended]);
  });

  test("is a listener: its body holds the next event, and the end of the turn", async () => {
    const log: string[] = [];
    const slow = gate();
    const { agent, session } = await openSession();
    session.onEvent((event) => void log.push(label(event)));
    const turn = session.prompt("hi");
    const looped = collect(turn, (event) => (label(event) === "1" ? slow.promise : undefined));
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "1", "2");
    agent.answer(prompt, { stopReason: "end_turn" });
    await vi.waitFor(() => expect(log.at(-1)).toBe("1"));
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
    expect(await isSettled(turn.ended)).toBe(false);
    slow.open();
    await looped;
    await turn.ended;
    expect(log.slice(-4)).toEqual(["1", "2", ...ended]);
  });

  test("leaving it detaches and does not cancel", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "1", "2", "3");
    for await (const event of turn) if (label(event) === "1") break;
    agent.say("s-1", "4");
    agent.answer(prompt, { stopReason: "end_turn" });
    expect((await turn.ended).stopReason).toBe("end_turn");
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("a throw in its body detaches and does not cancel either", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "1");
    await expect(
      collect(turn, () => {
        throw new Error("body");
      }),
    ).rejects.toThrow("body");
    agent.answer(prompt, { stopReason: "end_turn" });
    await turn.ended;
    expect(agent.count("session/cancel")).toBe(0);
  });

  test("begins where the turn was sent, if the prompt had to wait", async () => {
    const { agent, session } = await openSession();
    session.prompt("a");
    const seen = collect(session.prompt("b"));
    const first = await agent.call("session/prompt");
    agent.say("s-1", "for a");
    agent.answer(first, { stopReason: "end_turn" });
    const second = await agent.call("session/prompt");
    agent.say("s-1", "for b");
    agent.answer(second, { stopReason: "end_turn" });
    expect(await seen).toEqual([...taken, "for b", ...ended]);
  });

  test("of a turn that is over sees nothing", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    expect(await collect(turn)).toEqual([]);
  });

  test("that nobody runs holds and keeps nothing", async () => {
    const { agent, session } = await openSession({ limits: { waitingMessages: 2 } });
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    agent.send(...Array.from({ length: 50 }, (_, index) => RawAgent.update("s-1", chunk(`${index}`))));
    agent.answer(prompt, { stopReason: "end_turn" });
    await turn.ended;
    expect(session.state.timeline.at(1)).toMatchObject({ content: { length: 50 } });
  });

  test("two loops see the same, at the pace of the slower", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const loops = [collect(turn), collect(turn, () => new Promise((resolve) => setImmediate(resolve)))];
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "1", "2", "3");
    agent.answer(prompt, { stopReason: "end_turn" });
    const seen = [...taken, "1", "2", "3", ...ended];
    expect(await Promise.all(loops)).toEqual([seen, seen]);
    await turn.ended;
  });

  test("loses nothing when its body asks at the budget and so lets others go ahead", async () => {
    const options = [{ id: "fast", name: "Fast", type: "boolean", currentValue: false }];
    const { agent, session } = await openSession(
      { limits: { waitingMessages: 3 } },
      { result: { configOptions: options } },
    );
    const turn = session.prompt("hi");
    const texts = Array.from({ length: 30 }, (_, index) => `${index}`);
    const looped = collect(turn, async (event) => {
      if (/^(0|7|8|20)$/.test(label(event))) await session.setConfigOption("fast", true);
    });
    const prompt = await agent.call("session/prompt");
    agent.send(...texts.map((text) => RawAgent.update("s-1", chunk(text))));
    for (let n = 0; n < 4; n++) {
      agent.answer(await agent.call("session/set_config_option"), { configOptions: options });
    }
    agent.answer(prompt, { stopReason: "end_turn" });
    expect((await looped).filter((one) => /^\d+$/.test(one))).toEqual(texts);
    await turn.ended;
  });

  test("throws when the connection is lost, after what was received", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("hi");
    const seen: string[] = [];
    const looped = collect(turn, (event) => void seen.push(label(event)));
    await agent.call("session/prompt");
    agent.say("s-1", "1");
    await agent.close();
    await expect(looped).rejects.toMatchObject({ code: "connection_closed" });
    expect(seen).toEqual([...taken, "1", "turn_ended"]);
  });
});
