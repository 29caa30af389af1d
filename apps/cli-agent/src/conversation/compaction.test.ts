import type { WireEvent } from "@turnkit/agent";
import { describe, expect, it } from "vitest";
import { ModelError } from "../errors.js";
import type { ConversationItem, Model, ModelPart, ModelRequest } from "../model.js";
import { type CompactionOptions, compact, estimateTokens } from "./compaction.js";
import { createSpending, keepRoom } from "./keep-room.js";

const user = (text: string): ConversationItem => ({ role: "user", content: [{ type: "text", text }] });
const agent = (text: string): ConversationItem => ({ role: "assistant", content: [{ type: "text", text }] });
const textOf = (item: ConversationItem | undefined) => JSON.stringify(item?.content);

/** Creates a model that answers with these parts and records its requests. */
function summariser(parts: readonly ModelPart[] | Error, contextWindow = 1_000) {
  const asked: ModelRequest[] = [];
  const model: Model = {
    id: "m",
    name: "M",
    contextWindow,
    async *respond(request) {
      asked.push(request);
      if (parts instanceof Error) throw parts;
      yield* parts;
    },
  };
  return { model, asked };
}

const summary: readonly ModelPart[] = [
  { type: "reasoning-delta", text: "hm" },
  { type: "text-delta", text: "We " },
  { type: "text-delta", text: "talked." },
  {
    type: "finish",
    finishReason: "stop",
    usage: { totalTokens: 9, inputTokens: 7, outputTokens: 2 },
    cost: { amount: 0.5, currency: "EUR" },
  },
];

function setUp(conversation: ConversationItem[], { parts = summary as readonly ModelPart[] | Error, ...more } = {}) {
  const { model, asked } = summariser(parts);
  const events: WireEvent[] = [];
  const controller = new AbortController();
  const options: CompactionOptions = {
    model,
    conversation,
    signal: controller.signal,
    emit: (event) => void events.push(event),
    keep: "turn",
    ...more,
  };
  return { conversation, asked, events, controller, run: () => compact(options) };
}

describe("a compaction", () => {
  it("puts the model's summary in place of what came before the last prompt, and shows it", async () => {
    const { conversation, events, asked, run } = setUp([user("one"), agent("1"), user("two"), agent("2")]);
    expect(await run()).toMatchObject({ usage: { totalTokens: 9 }, cost: { amount: 0.5 } });
    expect(conversation).toHaveLength(3);
    expect(textOf(conversation[0])).toContain("We talked.");
    expect(conversation.slice(1)).toEqual([user("two"), agent("2")]);
    expect(textOf(asked[0]?.conversation[0])).toMatch(/User: one[\s\S]*Agent: 1/);
    expect(textOf(asked[0]?.conversation[0])).not.toContain("two");
    const compactionId = (events[0] as { compactionId: string }).compactionId;
    expect(events).toEqual([
      { type: "compaction_update", compactionId, status: "in_progress" },
      { type: "compaction_update", compactionId, status: "completed", summary: [{ type: "text", text: "We talked." }] },
    ]);
  });

  it("keeps the prompt alone where the turn itself is what is too long", async () => {
    const { conversation, asked, run } = setUp([user("one"), agent("x".repeat(8_000)), agent("2")]);
    await run();
    expect(conversation).toHaveLength(2);
    expect(textOf(conversation[0])).toContain("We talked.");
    expect(conversation[1]).toEqual(user("one"));
    expect(asked).toHaveLength(1);
  });

  it("never asks for more than the model can read: the middle goes first", async () => {
    const { asked, run } = setUp([user("FIRST"), agent("x".repeat(50_000)), agent("LAST"), user("two")]);
    await run();
    const request = textOf(asked[0]?.conversation[0]);
    expect(request.length).toBeLessThan(1_000 * 4);
    expect(request).toMatch(/FIRST[\s\S]*characters[\s\S]*LAST/);
  });

  it("does nothing where there is nothing to summarise", async () => {
    const { events, run } = setUp([user("one")]);
    expect(await run()).toBeUndefined();
    expect(events).toEqual([]);
  });

  it.each([
    ["fails", new ModelError("No.", { code: "request", provider: "P" }), "No."],
    ["says nothing", [{ type: "finish", finishReason: "stop" }] as ModelPart[], "M wrote no summary."],
  ])("leaves the conversation as it was where the model %s", async (_, parts, error) => {
    const before = [user("one"), agent("1"), user("two")];
    const { conversation, events, run } = setUp([...before], { parts });
    await expect(run()).rejects.toThrow(error);
    expect(conversation).toEqual(before);
    expect(events.at(-1)).toMatchObject({ status: "failed", error });
  });

  it("is shown as cancelled when the turn is", async () => {
    const { conversation, controller, events, run } = setUp([user("one"), agent("1"), user("two")]);
    controller.abort(new Error("enough"));
    await expect(run()).rejects.toThrow("enough");
    expect(conversation).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ status: "cancelled" });
  });
});

describe("the room in a context", () => {
  /** Creates a session that records the reports to its client. */
  function session(before?: { used: number; size: number; cost?: { amount: number; currency: string } }) {
    const received: object[] = [];
    const reportUsage = (usage: object) => void received.push(usage);
    return {
      received,
      session: { reportUsage, state: { usage: before } } as unknown as Parameters<typeof createSpending>[0],
    };
  }

  it("is counted by the provider's last answer and an estimate of what came since", () => {
    const spending = createSpending(session().session);
    const conversation = [user("one"), agent("1")];
    spending.answered(
      summariser(summary).model,
      { usage: { totalTokens: 700, inputTokens: 600, outputTokens: 100 } },
      conversation,
    );
    expect(spending.nextRequest(conversation)).toBe(700 + estimateTokens([]));
    conversation.push(user("x".repeat(400)));
    expect(spending.nextRequest(conversation)).toBeGreaterThanOrEqual(800);
  });

  it("does not shrink with the size of a picture", () => {
    const picture = (data: string): ConversationItem => ({
      role: "user",
      content: [{ type: "image", mimeType: "image/png", data }],
    });
    expect(estimateTokens([picture("x".repeat(1_000_000))])).toBe(estimateTokens([picture("x")]));
    expect(estimateTokens([picture("x")])).toBeGreaterThan(1_000);
  });

  it("is told with the cost so far, also after a restore; an unknown window is not told", () => {
    const cost = { amount: 1, currency: "EUR" };
    const { received, session: restored } = session({ used: 10, size: 1_000, cost });
    const spending = createSpending(restored);
    const usage = { totalTokens: 20, inputTokens: 15, outputTokens: 5 };
    spending.answered(summariser(summary).model, { usage, cost: { amount: 0.25, currency: "EUR" } }, []);
    spending.answered(summariser(summary).model, { usage, cost: { amount: 9, currency: "USD" } }, []);
    expect(received).toEqual([
      { used: 20, size: 1_000, cost: { amount: 1.25, currency: "EUR" } },
      { used: 20, size: 1_000, cost: { amount: 1.25, currency: "EUR" } },
    ]);
    const { contextWindow: _, ...unknown } = summariser(summary).model;
    spending.answered(unknown, { usage }, []);
    expect(received).toHaveLength(2);
  });

  it("is made before it runs out, and not before; a failure leaves it to the provider", async () => {
    const { session: fresh } = session();
    const spending = createSpending(fresh);
    const conversation = [user("one"), agent("1"), user("two")];
    const { model, asked } = summariser(summary);
    const client = { capabilities: { compaction: true } };
    const turn = {
      emit: () => undefined,
      think: () => undefined,
      session: { client },
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof keepRoom>[0];
    const makeRoom = keepRoom(turn, { model, conversation, spending, compactAt: 0.8 });
    expect(await makeRoom("due")).toBe(false);
    spending.answered(model, { usage: { totalTokens: 900, inputTokens: 900, outputTokens: 0 } }, conversation);
    expect(await makeRoom("due")).toBe(true);
    expect(await makeRoom("due")).toBe(false);
    expect(asked).toHaveLength(1);

    const broken = summariser(new Error("down")).model;
    const again = [user("one"), agent("1"), user("two")];
    const options = { model: broken, conversation: again, spending, compactAt: 0.8 };
    expect(await keepRoom(turn, options)("refused")).toBe(false);
  });
});
