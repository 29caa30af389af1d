import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog, type SessionLog, type Turn } from "../../src/index.js";
import { type Frame, gate, openAs, v2Hello } from "../raw-client.js";

const textOf = (turn: Turn) => turn.prompt.map((block) => ("text" in block ? block.text : block.type)).join();
const keyed = (sessionId: string, text: string) => ({
  sessionId,
  prompt: [{ type: "text", text }],
  idempotencyKey: "k-1",
});

/** An agent whose first prompt, without a key, runs until the gate opens. */
async function busy(handlers: Partial<AgentHandlers> = {}, options = {}) {
  const end = gate();
  const taken: string[] = [];
  const prompt = (turn: Turn) => (textOf(turn) === "First" ? end.promise : void taken.push(textOf(turn)));
  const opened = await openAs(v2Hello, { prompt, ...handlers }, options);
  await opened.client.ask(opened.sessionId, "First");
  return { ...opened, end, taken };
}

describe("a retry in one write with the withdrawal of its prompt", () => {
  test.each<[string, (sessionId: string) => Frame]>([
    ["$/cancel_request", () => ({ method: "$/cancel_request", params: { requestId: "one" } })],
    ["session/cancel", (sessionId) => ({ method: "session/cancel", params: { sessionId } })],
  ])("P-IDEM-07: after %s it is a new prompt, because the error answer released the key", async (_, withdraw) => {
    const { client, sessionId, end, taken } = await busy();
    client.send({ id: "one", method: "session/prompt", params: keyed(sessionId, "Deploy") }, withdraw(sessionId), {
      id: "two",
      method: "session/prompt",
      params: keyed(sessionId, "Deploy again"),
    });
    end.open();
    expect((await client.answer("one")).error).toMatchObject({ code: -32800 });
    const { result } = await client.answer("two");
    expect(result).toHaveProperty("messageId");
    const third = await client.result("session/prompt", keyed(sessionId, "Deploy again"));
    expect(third).toEqual(result);
    await setImmediate();
    expect(taken).toEqual(["Deploy again"]);
  });

  test("P-IDEM-07: also if the prompt was about to begin", async () => {
    const taken: string[] = [];
    const { client, sessionId } = await openAs(v2Hello, { prompt: (turn) => void taken.push(textOf(turn)) });
    client.send(
      { id: "one", method: "session/prompt", params: keyed(sessionId, "Deploy") },
      { method: "session/cancel", params: { sessionId } },
      { id: "two", method: "session/prompt", params: keyed(sessionId, "Deploy") },
    );
    expect((await client.answer("one")).error).toMatchObject({ code: -32800 });
    expect((await client.answer("two")).result).toHaveProperty("messageId");
    await setImmediate();
    expect(taken).toEqual(["Deploy"]);
  });
});

test("P-IDEM-07: a cancel while the log hangs answers with the id of the stored message, and a retry inserts nothing", async () => {
  const log = createMemoryLog();
  const asked = gate();
  const stored = gate();
  const slow: SessionLog = {
    ...log,
    async open(id, info) {
      const writer = await log.open(id, info);
      return {
        append: (event) => writer.append(event),
        async commit() {
          asked.open();
          await stored.promise;
          await writer.commit();
        },
        [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]() as Promise<void>,
      };
    },
  };
  const { client, sessionId } = await openAs(v2Hello, { log: slow }, { cancelGraceMs: 0 });
  client.send({ id: "one", method: "session/prompt", params: keyed(sessionId, "Deploy") });
  await asked.promise;
  client.cancel(sessionId);
  await setImmediate();
  // Timers fire in their order, so the grace time is over.
  await setTimeout(1);
  client.send({ id: "two", method: "session/prompt", params: keyed(sessionId, "Deploy") });
  await setImmediate();
  stored.open();
  const one = await client.answer("one");
  const two = await client.answer("two");
  await client.next(({ params }) => params?.update?.state === "idle");
  const [message] = client.updates("user_message");
  expect(client.updates("user_message")).toHaveLength(1);
  expect(one.result).toEqual({ messageId: message?.messageId });
  expect(two.result).toEqual(one.result);
  expect(client.story.indexOf("user_message")).toBeLessThan(client.story.indexOf("#one"));
});

test("P-IDEM-08: retries of a prompt that waits take room for waiting calls, which a withdrawal and the insertion free", async () => {
  const { client, sessionId, end, taken } = await busy({}, { limits: { waitingCallBytes: 100_000 } });
  const text = "x".repeat(40_000);
  const retry = (id: string) => client.send({ id, method: "session/prompt", params: keyed(sessionId, text) });
  for (const id of ["one", "two", "three"]) retry(id);
  expect((await client.answer("three")).error).toMatchObject({ code: -32603 });
  client.notify("$/cancel_request", { requestId: "two" });
  expect((await client.answer("two")).error).toMatchObject({ code: -32800 });
  retry("four");
  retry("five");
  expect((await client.answer("five")).error).toMatchObject({ code: -32603 });
  end.open();
  const { result } = await client.answer("one");
  expect((await client.answer("four")).result).toEqual(result);
  for (const id of ["six", "seven", "eight"]) {
    retry(id);
    expect((await client.answer(id)).result).toEqual(result);
  }
  expect(taken).toEqual([text]);
});
