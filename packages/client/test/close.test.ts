import { afterEach, describe, expect, test, vi } from "vitest";
import { newSession, openSession, settle } from "./raw-agent.js";

afterEach(() => vi.useRealTimers());

const closes = { agentCapabilities: { sessionCapabilities: { close: {} } } };

/** A session that is being closed, by an agent that says nothing to it; the clock is the test's. */
async function openClosing(cancelGraceMs?: number) {
  const opened = await openSession(cancelGraceMs === undefined ? {} : { cancelGraceMs }, closes);
  const turn = opened.session.prompt("hi");
  await opened.agent.call("session/prompt");
  vi.useFakeTimers();
  const closed = vi.fn();
  void opened.session.close().then(closed);
  const call = await opened.agent.call("session/close");
  return { ...opened, turn, call, closed };
}

describe("a session that is closed by an agent that says nothing", () => {
  test("is over on this side after the grace, and its turn with it", async () => {
    const { agent, session, turn, closed } = await openClosing(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect([closed.mock.calls.length, session.state.closed]).toEqual([0, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([closed.mock.calls.length, session.state.closed]).toEqual([1, true]);
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    expect(agent.count("session/close")).toBe(1);
  });

  test("may be answered later, by an error too: nobody waits any more, and the connection goes on", async () => {
    const opened = await openClosing(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    opened.agent.refuse(opened.call, -32603, "too late");
    await settle(opened.agent);
    expect(opened.session.state.closed).toBe(true);
    expect((await newSession(opened, "s-2")).id).toBe("s-2");
  });

  test("is waited for where there is no limit", async () => {
    const { agent, call, closed } = await openClosing(Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(100_000_000);
    expect(closed).not.toHaveBeenCalled();
    agent.answer(call, {});
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });
});

test.each([1, 3])(
  "a turn ends within 5 s of the close though a listener never does, %d updates behind it",
  async (count) => {
    const { agent, client } = await openSession();
    const heard: string[] = [];
    const session = await newSession({ agent, client }, "s-2", (event) => {
      heard.push(event.type);
      return event.type === "agent_message_chunk" && heard.filter((type) => type === event.type).length === 1
        ? new Promise<void>(() => undefined)
        : undefined;
    });
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    for (let index = 0; index < count; index += 1) agent.say("s-2", "x");
    agent.answer(prompt, { stopReason: "end_turn" });
    await settle(agent);
    vi.useFakeTimers();
    const closing = client.close();
    let end: unknown;
    void turn.ended.then((ended) => {
      end = ended;
    });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_100);
    vi.useRealTimers();
    await closing;
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
    expect(heard.filter((type) => type === "agent_message_chunk")).toHaveLength(count);
    expect(heard.at(-1)).toBe("session_closed");
  },
);
