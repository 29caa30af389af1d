import { v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { said, startCodingAgent } from "./coding-agent.js";
import { call, fail, finish, type ReceivedRequest, say } from "./step.js";

/** An answer after which the context is full, as far as the provider's count tells. */
const filling = (text: string) => [say(text), finish("stop", { input: 9_000, output: 500 })];

const sent = ({ body }: ReceivedRequest) => JSON.stringify(body.messages);

const compactions = (session: Awaited<ReturnType<typeof startCodingAgent>>["session"]) =>
  [...session.state.timeline].flatMap((entry) =>
    entry.type === "compaction"
      ? [`${entry.status}: ${[...entry.summary].map((block) => (block as any).text).join("")}`]
      : [],
  );

const small = { contextWindow: 10_000 };

describe("a conversation that becomes too long", () => {
  it.each([
    ["v1", v1Dialect],
    ["v2", v2Dialect],
  ])("is summarised by the model before the next request: %s", async (_, dialect) => {
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      model: small,
      script: [filling("The answer is 42."), [say("The user asked; it is 42.")], [say("As I said.")]],
    });
    await session.prompt("What is the ANSWER-WORD?").ended;
    expect(session.state.usage).toMatchObject({ used: 9_500, size: 10_000 });
    await session.prompt("Say it again.").ended;

    const [, summary, last] = server.requests;
    expect(server.requests).toHaveLength(3);
    expect(summary?.prompt).toContain("ANSWER-WORD");
    expect(summary?.tools).toEqual([]);
    expect(sent(last as ReceivedRequest)).toContain("The user asked; it is 42.");
    expect(sent(last as ReceivedRequest)).toContain("Say it again.");
    expect(sent(last as ReceivedRequest)).not.toContain("ANSWER-WORD");

    expect(compactions(session)).toEqual(["completed: The user asked; it is 42."]);
    expect(said(session.state)).toBe("The answer is 42.As I said.");
    expect(session.state.usage?.used).toBeLessThan(1_000);
  });

  it("is summarised in the middle of a turn, which goes on", async () => {
    const { session, server } = await startCodingAgent({
      model: small,
      script: [
        [say("Earlier."), finish("stop", { input: 100, output: 10 })],
        [call("list_directory", { path: "." }), finish("calls", { input: 9_000, output: 100 })],
        [say("Summary of earlier.")],
        [say("Done.")],
      ],
    });
    await session.prompt("First.").ended;
    expect(await session.prompt("Look around.").ended).toMatchObject({ stopReason: "end_turn" });
    const last = server.requests[3] as ReceivedRequest;
    expect(sent(last)).toContain("Summary of earlier.");
    expect(last.results).toHaveLength(1);
    expect(compactions(session)).toEqual(["completed: Summary of earlier."]);
  });

  it("is summarised where the provider says that it is too long", async () => {
    const { session, server } = await startCodingAgent({
      script: [
        [say("One.")],
        fail(400, "This model's maximum context length is 8192 tokens."),
        [say("It was one.")],
        [say("Two.")],
      ],
    });
    await session.prompt("Count.").ended;
    expect(await session.prompt("Go on.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(sent(server.requests[3] as ReceivedRequest)).toContain("It was one.");
    expect(said(session.state)).toBe("One.Two.");
  });

  it("stays as it is where no summary can be had, and that is shown", async () => {
    const { session, server } = await startCodingAgent({
      model: small,
      script: [filling("The answer is 42."), fail(400, "No summaries today."), [say("As I said.")]],
    });
    await session.prompt("What is the ANSWER-WORD?").ended;
    expect(await session.prompt("Say it again.").ended).toMatchObject({ stopReason: "end_turn" });
    expect(sent(server.requests[2] as ReceivedRequest)).toContain("ANSWER-WORD");
    const [failed] = [...session.state.timeline].filter(({ type }) => type === "compaction");
    expect(failed).toMatchObject({ status: "failed", error: "stand-in answered 400: No summaries today." });
  });

  it("is summarised when the user says /compact, dwelling on what they name", async () => {
    const { session, server } = await startCodingAgent({ script: [[say("42.")], [say("It was 42.")], [say("Yes.")]] });
    await session.prompt("What is the ANSWER-WORD?").ended;
    await session.prompt("/compact the numbers").ended;
    await session.prompt("Sure?").ended;
    expect(server.requests[1]?.prompt).toMatch(/ANSWER-WORD[\s\S]*Dwell on: the numbers/);
    expect(sent(server.requests[2] as ReceivedRequest)).not.toContain("ANSWER-WORD");
    expect(compactions(session)).toEqual(["completed: It was 42."]);
  });
});

it("usage and cost of a session add up, by the prices of the configuration", async () => {
  const prices = { input: 2, cachedRead: 0.2, output: 10, currency: "EUR" };
  const { session } = await startCodingAgent({
    model: { prices },
    script: [
      [say("One."), finish("stop", { input: 1_000, cached: 500, output: 100, thought: 40 })],
      [say("Two."), finish("stop", { input: 2_000, cached: 1_000, output: 200 })],
    ],
  });
  await session.prompt("Count.").ended;
  const first = (500 * 2 + 500 * 0.2 + 100 * 10) / 1_000_000;
  expect(session.state.usage).toEqual({ used: 1_100, size: 100_000, cost: { amount: first, currency: "EUR" } });
  expect(session.state.lastTurn?.usage).toMatchObject({ inputTokens: 1_000, cachedReadTokens: 500, thoughtTokens: 40 });
  await session.prompt("Go on.").ended;
  expect(session.state.usage?.used).toBe(2_200);
  expect(session.state.usage?.cost?.amount).toBeCloseTo(first * 3, 10);
});
