import { afterEach, expect, test, vi } from "vitest";
import { openDraft } from "./draft-agent.js";
import { newSession, open, openSession, settle } from "./raw-agent.js";

afterEach(() => {
  vi.useRealTimers();
});

test("defect B6: a listener may await the end of another prompt that it makes on its own session", async () => {
  const { agent, client, diagnostics } = await open();
  const ends: string[] = [];
  const session = await newSession({ agent, client }, "s-1", async (event) => {
    if (event.type !== "turn_ended" || ends.length > 0) return;
    ends.push("first");
    await session.prompt("second").ended;
    ends.push("second");
  });
  const turn = session.prompt("first");
  const prompt = await agent.call("session/prompt");
  vi.useFakeTimers();
  agent.answer(prompt, { stopReason: "end_turn" });
  const second = await agent.call("session/prompt");
  agent.answer(second, { stopReason: "end_turn" });
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await turn.ended;
  expect(ends).toEqual(["first", "second"]);
  expect(diagnostics[0]).toMatchObject({ code: "listener_stuck", sessionId: "s-1" });
});

test("defect B6: a prompt of a listener of the cancel is not given up with the work that was cancelled", async () => {
  const { agent, client } = await openDraft();
  const session = await newSession({ agent, client }, "s-1");
  let second: ReturnType<typeof session.prompt> | undefined;
  session.onEvent((event) => {
    if (event.type === "cancel_asked") second ??= session.prompt("second");
  });
  const first = session.prompt("first");
  agent.answer(await agent.call("session/prompt"), { messageId: "u-1" });
  await settle(agent);
  vi.useFakeTimers();
  void first.cancel();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second?.promptId).toBeDefined();
  let isOver = false;
  void second?.ended.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOver).toBe(false);
});

test("defect B2: a refused close tells the agent that the turn is cancelled, as its session was told", async () => {
  const { agent, session } = await openSession();
  const turn = session.prompt("go");
  const prompt = await agent.call("session/prompt");
  const closing = session.close().catch((error: unknown) => error);
  agent.refuse(await agent.call("session/close"), -32603, "no");
  expect(await closing).toMatchObject({ code: -32603 });
  await agent.call("session/cancel");
  agent.answer(prompt, { stopReason: "cancelled" });
  expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
  expect(session.state.closed).toBe(false);
});
