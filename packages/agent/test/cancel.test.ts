import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RpcError, type Turn } from "../src/index.js";
import { aborted, gate, open } from "./raw-client.js";

afterEach(() => {
  vi.useRealTimers();
});

const cancelled = { stopReason: "cancelled" };
const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();

describe("session/cancel", () => {
  test("V1-CANCEL-06 V1-CANCEL-08: during a turn: last updates, then cancelled", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("running");
        await aborted(turn.signal);
        await setImmediate();
        turn.say("last words");
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual(cancelled);
    expect(client.story.slice(2)).toEqual(["running", "last words", `#${prompt}`]);
  });

  test("right behind the prompt, in the same write: no handler runs", async () => {
    const handler = vi.fn();
    const { client, sessionId } = await open({ prompt: handler });
    client.send(
      { id: "p", method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "hi" }] } },
      { method: "session/cancel", params: { sessionId } },
    );
    expect((await client.answer("p")).result).toEqual(cancelled);
    expect(handler).not.toHaveBeenCalled();
  });

  test("before its start: what waits in the queue is answered at once", async () => {
    const end = gate();
    const handler = vi.fn((turn: Turn) => (textOf(turn) === "a" ? end.promise : undefined));
    const { client, sessionId } = await open({ prompt: handler });
    const a = client.prompt(sessionId, "a");
    const b = client.prompt(sessionId, "b");
    await setImmediate();
    client.cancel(sessionId);
    expect((await client.answer(b)).result).toEqual(cancelled);
    expect(client.received.some(({ id }) => id === a)).toBe(false);
    end.open();
    expect((await client.answer(a)).result).toEqual(cancelled);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test("before its start: what waits behind a slow choice is answered at once", async () => {
    const chosen = gate();
    const option = { configId: "fast", name: "Fast", type: "boolean", currentValue: false } as const;
    const handler = vi.fn();
    const { client, sessionId } = await open({
      newSession: () => ({ configOptions: [option] }),
      setConfigOption: () => chosen.promise,
      prompt: handler,
    });
    client.notify("session/cancel", { sessionId });
    const set = client.request("session/set_config_option", {
      sessionId,
      configId: "fast",
      type: "boolean",
      value: true,
    });
    const prompt = client.prompt(sessionId);
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual(cancelled);
    chosen.open();
    expect((await set).result.configOptions[0].currentValue).toBe(true);
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([
    ["a result", () => "end_turn" as const],
    ["nothing", () => undefined],
    ["an abort", (turn: Turn) => Promise.reject(turn.signal.reason)],
    ["another error", () => Promise.reject(new Error("boom"))],
    ["an RpcError", () => Promise.reject(RpcError.authRequired())],
    ["a late error", () => setImmediate().then(() => Promise.reject(new Error("late")))],
  ])("V1-CANCEL-07: after it the end is cancelled, also by %s", async (_, settle) => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("x");
        await aborted(turn.signal);
        return settle(turn);
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual(cancelled);
  });

  test("grace: a turn that does not end is ended and muted after 10 s, and a second cancel does not prolong it", async () => {
    vi.useFakeTimers();
    const late = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        if (textOf(turn) === "next") return;
        turn.say("running");
        await late.promise;
        turn.say("muted");
        turn.toolCall({ title: "muted" }).finish();
        expect(await turn.requestPermission({ title: "muted?", options: [] })).toEqual({ allowed: false });
        turn.plan([]);
        throw new Error("nobody hears this");
      },
    });
    const prompt = client.prompt(sessionId);
    await client.update("agent_message_chunk");
    client.cancel(sessionId);
    await vi.advanceTimersByTimeAsync(6_000);
    client.cancel(sessionId);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(client.story).not.toContain(`#${prompt}`);
    await vi.advanceTimersByTimeAsync(1);
    expect((await client.answer(prompt)).result).toEqual(cancelled);
    late.open();
    await client.ask(sessionId, "next");
    expect(client.story.at(-2)).toBe(`#${prompt}`);
  });

  test("grace: is an option, and a turn that ends in time leaves no timer", async () => {
    vi.useFakeTimers();
    const { client, sessionId } = await open(
      {
        prompt: (turn) => (textOf(turn) === "hang" ? new Promise<undefined>(() => undefined) : aborted(turn.signal)),
      },
      { cancelGraceMs: 50 },
    );
    const good = client.prompt(sessionId, "good");
    await vi.advanceTimersByTimeAsync(0);
    client.cancel(sessionId);
    await client.answer(good);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    const hang = client.prompt(sessionId, "hang");
    await vi.advanceTimersByTimeAsync(0);
    client.cancel(sessionId);
    await vi.advanceTimersByTimeAsync(50);
    expect((await client.answer(hang)).result).toEqual(cancelled);
  });

  test.each([3_000_000_000, Number.POSITIVE_INFINITY])(
    "grace: of %s ms, more than a timer can wait, it is no shorter",
    async (ms) => {
      vi.useFakeTimers();
      const end = gate();
      const { client, sessionId } = await open({ prompt: () => end.promise }, { cancelGraceMs: ms });
      const prompt = client.prompt(sessionId);
      await vi.advanceTimersByTimeAsync(0);
      client.cancel(sessionId);
      await vi.advanceTimersByTimeAsync(100_000_000);
      expect(client.story).not.toContain(`#${prompt}`);
      end.open();
      expect((await client.answer(prompt)).result).toEqual(cancelled);
    },
  );

  test("V1-CANCEL-09: without a turn it is ignored and does not hit the next one", async () => {
    const { client, sessionId } = await open({ prompt: (turn) => void turn.say(String(turn.signal.aborted)) });
    client.cancel(sessionId);
    client.cancel("s-9");
    client.notify("session/cancel", {});
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    client.cancel(sessionId);
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(client.text).toBe("falsefalse");
  });

  test("V1-CANCEL-12: it touches only its session", async () => {
    const end = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say("x");
        await Promise.race([end.promise, aborted(turn.signal)]);
      },
    });
    const one = client.prompt(sessionId);
    const two = client.prompt(await client.newSession());
    await client.update("agent_message_chunk", 1);
    client.cancel(sessionId);
    expect((await client.answer(one)).result).toEqual(cancelled);
    end.open();
    expect((await client.answer(two)).result).toEqual({ stopReason: "end_turn" });
  });
});

describe("$/cancel_request", () => {
  test("V1-CANCEL-17 V1-CANCEL-21: of a prompt it acts like session/cancel, for that prompt alone", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.say(textOf(turn));
        if (textOf(turn) === "a") await aborted(turn.signal);
        turn.say(".");
      },
    });
    const a = client.prompt(sessionId, "a");
    const b = client.prompt(sessionId, "b");
    await client.update("agent_message_chunk");
    client.notify("$/cancel_request", { requestId: a });
    expect((await client.answer(a)).result).toEqual(cancelled);
    expect((await client.answer(b)).result).toEqual({ stopReason: "end_turn" });
    expect(client.text).toBe("a.b.");
  });

  test("V1-CANCEL-16: an unknown or answered id is ignored", async () => {
    const { client, sessionId } = await open({});
    const prompt = client.prompt(sessionId);
    await client.answer(prompt);
    client.notify("$/cancel_request", { requestId: prompt });
    client.notify("$/cancel_request", { requestId: "none" });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });
});
