import { afterEach, describe, expect, test, vi } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { chunk, gate, newSession, openSession, RawAgent, settle } from "./raw-agent.js";

afterEach(() => {
  vi.useRealTimers();
});

const label = (event: SessionEvent): string =>
  event.type === "agent_message_chunk" ? String((event.content as any).text) : event.type;

describe("order", () => {
  test("a listener is awaited before the next event is told (V1-RPC-19)", async () => {
    const log: string[] = [];
    const first = gate();
    const { agent, session } = await openSession();
    session.onEvent(async (event) => {
      log.push(`begin ${label(event)}`);
      if (label(event) === "1") await first.promise;
      log.push(`end ${label(event)}`);
    });
    agent.say("s-1", "1", "2");
    await settle(agent);
    expect(log).toEqual(["begin 1"]);
    expect(session.state.timeline.length).toBe(1);
    first.open();
    const turn = session.prompt("x");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    expect(log.slice(0, 4)).toEqual(["begin 1", "end 1", "begin 2", "end 2"]);
  });

  test("listeners are called in the order in which they came, sync and async mixed, and all are awaited", async () => {
    const log: string[] = [];
    const slow = [gate(), gate()];
    const { agent, session } = await openSession();
    const add = (name: string, wait?: Promise<void>) =>
      session.onEvent((event) => {
        log.push(`${name} ${label(event)}`);
        return label(event) === "1" ? wait : undefined;
      });
    add("a");
    add("b", slow[0]?.promise);
    add("c");
    add("d", slow[1]?.promise);
    agent.say("s-1", "1", "2");
    await settle(agent);
    slow[0]?.open();
    await settle(agent);
    expect(log).toEqual(["a 1", "b 1", "c 1", "d 1"]);
    slow[1]?.open();
    await vi.waitFor(() => expect(log.slice(4)).toEqual(["a 2", "b 2", "c 2", "d 2"]));
  });

  test("two sessions do not hold each other (V1-SESS-03)", async () => {
    const never = gate();
    const opened = await openSession({}, { onEvent: () => never.promise });
    const { agent } = opened;
    const received: string[] = [];
    await newSession(opened, "s-2", (event) => void received.push(label(event)));
    agent.say("s-1", "held");
    agent.say("s-2", "free");
    await settle(agent);
    expect(received).toEqual(["session_opened", "free"]);
  });

  test("the listener gets its session", async () => {
    const sessions: unknown[] = [];
    const { session } = await openSession({}, { onEvent: (_, one) => void sessions.push(one) });
    expect(sessions).toEqual([session]);
    expect(sessions[0]).toBe(session);
  });
});

describe("coming and going", () => {
  test("a listener is told what comes after it, and nothing that waits from before", async () => {
    const slow = gate();
    const { agent, session } = await openSession();
    session.onEvent(() => slow.promise);
    agent.say("s-1", "1", "2");
    await settle(agent);
    const late: string[] = [];
    session.onEvent((event) => void late.push(label(event)));
    agent.say("s-1", "3");
    await settle(agent);
    slow.open();
    await vi.waitFor(() => expect(late).toEqual(["3"]));
  });

  test("one that leaves while events wait is not told them", async () => {
    const slow = gate();
    const received: string[] = [];
    const { agent, session } = await openSession();
    const stop = session.onEvent(async (event) => {
      received.push(label(event));
      await slow.promise;
    });
    agent.say("s-1", "1", "2");
    await settle(agent);
    stop();
    slow.open();
    const turn = session.prompt("x");
    agent.answer(await agent.call("session/prompt"), { stopReason: "end_turn" });
    await turn.ended;
    expect(received).toEqual(["1"]);
  });

  test("one that leaves, or comes, while an event is being told takes no part in it", async () => {
    const received: string[] = [];
    const { agent, session } = await openSession();
    session.onEvent((event) => {
      received.push(`a ${label(event)}`);
      stopB();
      session.onEvent((other) => void received.push(`new ${label(other)}`));
    });
    const stopB = session.onEvent((event) => void received.push(`b ${label(event)}`));
    agent.say("s-1", "1");
    await settle(agent);
    expect(received).toEqual(["a 1"]);
  });

  test("the same function added twice is two listeners, each with its own end", async () => {
    const received: string[] = [];
    const { agent, session } = await openSession();
    const listener = (event: SessionEvent) => void received.push(label(event));
    const stop = session.onEvent(listener);
    session.onEvent(listener);
    stop();
    const changed = vi.fn();
    const unsubscribe = session.subscribe(changed);
    session.subscribe(changed);
    unsubscribe();
    agent.say("s-1", "1");
    await settle(agent);
    expect(received).toEqual(["1"]);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  test("subscribers are called at receipt, also while listeners are slow, and leave at once", async () => {
    const never = gate();
    const { agent, session } = await openSession();
    session.onEvent(() => never.promise);
    const seen: string[] = [];
    session.subscribe(() => {
      seen.push("a");
      stopB();
    });
    const stopB = session.subscribe(() => seen.push("b"));
    const before = session.state;
    agent.say("s-1", "1", "2");
    await settle(agent);
    expect(seen).toEqual(["a", "a"]);
    expect(session.state).not.toBe(before);
    expect(before.timeline.length).toBe(0);
  });
});

describe("failures", () => {
  test("a command that a subscriber gives at once comes after what it heard of", async () => {
    const received: string[] = [];
    const { agent, session } = await openSession({}, { onEvent: (event) => void received.push(label(event)) });
    session.subscribe(() => {
      for (const { requestId } of session.state.pendingPermissions)
        session.answer(requestId, { outcome: "selected", optionId: "yes" });
    });
    agent.ask("p", "s-1");
    await agent.answerTo("p");
    expect(received).toEqual(["session_opened", "permission_asked", "permission_answered"]);
  });

  test("a listener that throws or rejects is reported and holds nobody up", async () => {
    const received: string[] = [];
    const { agent, session, diagnostics } = await openSession();
    session.onEvent((event) => {
      throw new Error(`sync ${label(event)}`);
    });
    session.onEvent(async (event) => {
      throw new Error(`async ${label(event)}`);
    });
    session.onEvent((event) => void received.push(label(event)));
    agent.say("s-1", "1", "2");
    await settle(agent);
    await vi.waitFor(() => expect(received).toEqual(["1", "2"]));
    await vi.waitFor(() =>
      expect(diagnostics.map(({ code, sessionId, error }) => [code, sessionId, (error as Error).message])).toEqual([
        ["listener_failed", "s-1", "sync 1"],
        ["listener_failed", "s-1", "async 1"],
        ["listener_failed", "s-1", "sync 2"],
        ["listener_failed", "s-1", "async 2"],
      ]),
    );
  });

  test("a subscriber that throws is reported and the others are told", async () => {
    const { agent, session, diagnostics } = await openSession();
    const other = vi.fn();
    session.subscribe(() => {
      throw new Error("broken");
    });
    session.subscribe(other);
    agent.say("s-1", "1");
    await settle(agent);
    expect(other).toHaveBeenCalledTimes(1);
    expect(diagnostics).toMatchObject([{ code: "listener_failed", sessionId: "s-1" }]);
  });

  test("defect F4: a subscriber that rejects is reported and the others are told", async () => {
    const { agent, session, diagnostics } = await openSession();
    const other = vi.fn();
    session.subscribe(async () => {
      throw new Error("broken");
    });
    session.subscribe(other);
    agent.say("s-1", "1");
    await settle(agent);
    expect(other).toHaveBeenCalledTimes(1);
    expect(diagnostics).toMatchObject([
      {
        code: "listener_failed",
        sessionId: "s-1",
        message: "A subscriber failed: broken",
        error: { message: "broken" },
      },
    ]);
  });

  test("a listener that awaits the end of its own turn is named after 5 s", async () => {
    const { agent, session, diagnostics } = await openSession();
    vi.useFakeTimers();
    const turn = session.prompt("x");
    session.onEvent(async (event) => {
      if (event.type === "agent_message_chunk") await turn.ended;
    });
    const prompt = await agent.call("session/prompt");
    agent.say("s-1", "1");
    agent.answer(prompt, { stopReason: "end_turn" });
    await settle(agent);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(diagnostics).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(diagnostics).toMatchObject([{ code: "listener_stuck", sessionId: "s-1" }]);
    expect(session.state.lastTurn).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("requests inside a listener", () => {
  const options = [{ id: "fast", name: "Fast", type: "boolean", currentValue: false }];

  test("do not deadlock: answers settle at receipt", async () => {
    const log: string[] = [];
    const { agent, session } = await openSession({}, { result: { configOptions: options } });
    session.onEvent(async (event) => {
      log.push(label(event));
      if (label(event) !== "1") return;
      await session.setConfigOption("fast", true);
      log.push("set");
    });
    agent.say("s-1", "1", "2");
    const configOptions = options.map((option) => ({ ...option, currentValue: true }));
    agent.answer(await agent.call("session/set_config_option"), { configOptions });
    await vi.waitFor(() => expect(log).toEqual(["1", "set", "2", "config_option_update"]));
  });

  test("do not deadlock at the budget either: the listener yields", async () => {
    const log: string[] = [];
    const limits = { waitingMessages: 4 };
    const { agent, session } = await openSession({ limits }, { result: { configOptions: options } });
    session.onEvent(async (event) => {
      log.push(label(event));
      if (label(event) !== "0") return;
      await session.setConfigOption("fast", true);
      log.push("set");
    });
    agent.say("s-1", "0");
    const set = await agent.call("session/set_config_option");
    const texts = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
    agent.send(...texts.map((text) => RawAgent.update("s-1", chunk(text))));
    agent.answer(set, { configOptions: options });
    await vi.waitFor(() => expect(log).toContain("set"));
    await vi.waitFor(() => expect(log.filter((one) => /^\d+$/.test(one))).toEqual(["0", ...texts]));
  });

  test("at the budget reading stops until listeners have caught up", async () => {
    const slow = gate();
    const { agent, session } = await openSession({ limits: { waitingMessages: 4 } });
    session.onEvent(() => slow.promise);
    agent.send(...Array.from({ length: 50 }, (_, index) => RawAgent.update("s-1", chunk(`${index}`))));
    agent.request("late", "_x");
    await new Promise((resolve) => setImmediate(resolve));
    // One is being told, four wait, and nothing more was read.
    expect(session.state.timeline.at(0)).toMatchObject({ content: { length: 5 } });
    slow.open();
    await agent.answerTo("late");
    expect(session.state.timeline.at(0)).toMatchObject({ content: { length: 50 } });
  });
});

test("defect N141: a generator is refused as a listener, because nothing runs its body", async () => {
  const { session, client } = await openSession();
  const listener = function* (): Generator<void> {} as never;
  const message = "got a generator function: pass a function without `*`";
  expect(() => session.onEvent(listener)).toThrow(`onEvent ${message}`);
  expect(() => session.subscribe(listener)).toThrow(`subscribe ${message}`);
  await expect((async () => client.newSession({ cwd: "/a" } as never, listener))()).rejects.toThrow(message);
});
