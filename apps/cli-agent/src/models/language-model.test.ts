import type { LanguageModel } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import type { ModelPart, ModelRequest } from "../model.js";
import type { ModelSpec } from "./catalogue.js";
import { type Clock, createLanguageModel } from "./language-model.js";

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;
type CallOptions = MockLanguageModelV3["doStreamCalls"][number];

const spec: ModelSpec = {
  id: "test/model",
  name: "Test",
  provider: { id: "test", name: "The provider", type: "anthropic", key: "sk-secret", needsKey: true },
  modelId: "model",
  images: true,
  prices: { input: 1, cachedRead: 0.1, output: 10 },
};

const usage = {
  inputTokens: { total: 1_000, noCache: 600, cacheRead: 400, cacheWrite: undefined },
  outputTokens: { total: 50, text: 30, reasoning: 20 },
};
const finish = (unified = "stop", raw: string | null = unified): StreamPart =>
  ({ type: "finish", usage, finishReason: { unified, raw: raw ?? undefined } }) as StreamPart;
const text = (delta: string, id = "t"): StreamPart[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta },
  { type: "text-end", id },
];

const hi: ModelRequest["conversation"] = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

/** Reaction of the provider to each request: a stream of parts, or an error. */
type Answer = readonly StreamPart[] | Error;

/** Creates a clock whose time passes only in `sleep`. */
function testClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => 1_000_000,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
    },
  };
}

function setUp(answers: readonly Answer[], more: Partial<ModelSpec> = {}) {
  const asked: CallOptions[] = [];
  const clock = testClock();
  const sdkModel = new MockLanguageModelV3({
    async doStream(options) {
      asked.push(options);
      const answer = answers[asked.length - 1] ?? [];
      if (answer instanceof Error) throw answer;
      return { stream: convertArrayToReadableStream([...answer]) };
    },
  });
  const load = async (): Promise<LanguageModel> => sdkModel;
  const model = createLanguageModel({ ...spec, ...more }, { load, clock });
  const ask = async (request: Partial<ModelRequest> = {}) => {
    const parts: ModelPart[] = [];
    const whole = { conversation: hi, tools: [], signal: new AbortController().signal, ...request };
    for await (const part of model.respond(whole)) parts.push(part);
    return parts;
  };
  return { ask, asked, clock, model };
}

/** Creates an error in the shape of the AI SDK's. */
function callError(statusCode: number | undefined, message: string, responseHeaders: Record<string, string> = {}) {
  return Object.assign(new Error(message), { statusCode, responseHeaders, requestBodyValues: { prompt: "private" } });
}

describe("an answer", () => {
  it("comes as text, thoughts and calls, with what the provider wants back", async () => {
    const signed = { test: { signature: "s" } };
    const { ask } = setUp([
      [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "Hm." },
        { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signed },
        { type: "reasoning-end", id: "r" },
        ...text("Hello"),
        { type: "tool-call", toolCallId: "1", toolName: "look", input: '{"at":1}', providerMetadata: signed },
        { type: "tool-call", toolCallId: "2", toolName: "look", input: '{"at":2}' },
        finish("tool-calls"),
      ],
    ]);
    const look = { name: "look", description: "Looks.", inputSchema: { type: "object" } };
    expect(await ask({ tools: [look] })).toEqual([
      { type: "reasoning-delta", id: "r", text: "Hm." },
      { type: "reasoning-delta", id: "r", text: "", providerMetadata: signed },
      { type: "text-delta", id: "t", text: "Hello" },
      { type: "tool-call", toolCallId: "1", toolName: "look", input: { at: 1 }, providerMetadata: signed },
      { type: "tool-call", toolCallId: "2", toolName: "look", input: { at: 2 } },
      expect.objectContaining({ type: "finish", finishReason: "tool-calls" }),
    ]);
  });

  it("tells what it took and what that costs, cached tokens at their own price", async () => {
    const { ask } = setUp([[...text("x"), finish()]]);
    expect((await ask()).at(-1)).toEqual({
      type: "finish",
      finishReason: "stop",
      usage: {
        totalTokens: 1_050,
        inputTokens: 1_000,
        outputTokens: 50,
        thoughtTokens: 20,
        cachedReadTokens: 400,
      },
      cost: { amount: (600 * 1 + 400 * 0.1 + 50 * 10) / 1_000_000, currency: "USD" },
    });
  });

  it("costs nothing that is known where there are no prices", async () => {
    const { ask } = setUp([[...text("x"), finish()]], { prices: undefined });
    expect((await ask()).at(-1)).toMatchObject({ type: "finish", cost: undefined });
  });

  it.each(["length", "content-filter", "tool-calls"] as const)(
    "ends as %s where the provider says so",
    async (reason) => {
      const { ask } = setUp([[...text("x"), finish(reason)]]);
      expect((await ask()).at(-1)).toMatchObject({ finishReason: reason });
    },
  );

  it("keeps an input that is no JSON, for the tool to refuse", async () => {
    const { ask } = setUp([
      [{ type: "tool-call", toolCallId: "1", toolName: "look", input: "{at" }, finish("tool-calls")],
    ]);
    const look = { name: "look", description: "", inputSchema: { type: "object" } };
    expect((await ask({ tools: [look] }))[0]).toMatchObject({ toolName: "look", input: "{at" });
  });
});

describe("a request", () => {
  it("brings the instructions, the tools and the conversation", async () => {
    const { ask, asked } = setUp([[finish()]]);
    const look = { name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } };
    await ask({ instructions: "Be brief.", tools: [look] });
    expect(asked[0]?.prompt).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
    expect(asked[0]?.tools).toMatchObject([{ type: "function", name: "look", description: "Looks." }]);
  });

  it("tells each provider in its own words how hard to think", async () => {
    const { ask, asked } = setUp([[finish()]]);
    await ask({ effort: "high" });
    expect(asked[0]?.providerOptions).toMatchObject({ anthropic: { effort: "high", thinking: { type: "adaptive" } } });
  });

  it("is ended when nobody listens any more", async () => {
    const { model, asked } = setUp([[...text("one"), ...text("two", "u"), finish()]]);
    for await (const _ of model.respond({ conversation: hi, tools: [], signal: new AbortController().signal })) break;
    expect(asked[0]?.abortSignal?.aborted).toBe(true);
  });

  it("ends with the reason of its signal when that aborts", async () => {
    const controller = new AbortController();
    const { ask } = setUp([[...text("one"), finish()]]);
    controller.abort(new Error("enough"));
    await expect(ask({ signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("a failure before anything was said", () => {
  it("is repeated with growing waits, and each wait is told", async () => {
    const { ask, asked, clock } = setUp([
      callError(503, "Overloaded"),
      callError(undefined, "fetch failed"),
      [...text("Hello"), finish()],
    ]);
    expect(await ask()).toMatchObject([
      { type: "retry", reason: "The provider answered 503: Overloaded", delayMs: 2_000 },
      { type: "retry", reason: "The provider could not be asked: fetch failed", delayMs: 4_000 },
      { type: "text-delta", text: "Hello" },
      { type: "finish" },
    ]);
    expect(clock.slept).toEqual([2_000, 4_000]);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["a date", { "retry-after": new Date(1_009_000).toUTCString() }, 9_000],
    ["milliseconds", { "retry-after-ms": "250", "retry-after": "1" }, 250],
  ])("waits as long as the provider wants: %s", async (_, headers, delay) => {
    const { ask, clock } = setUp([callError(429, "Slow down", headers), [...text("x"), finish()]]);
    await ask();
    expect(clock.slept).toEqual([delay]);
  });

  it("is told at once when the provider wants a longer wait than anybody would sit through", async () => {
    const { ask, asked } = setUp([callError(429, "Come back tomorrow", { "retry-after": "86400" })]);
    await expect(ask()).rejects.toMatchObject({ code: "rate_limit", status: 429, retryAfterMs: 86_400_000 });
    expect(asked).toHaveLength(1);
  });

  it("is told after five requests", async () => {
    const { ask, asked } = setUp(Array.from({ length: 9 }, () => callError(500, "Broken")));
    await expect(ask()).rejects.toMatchObject({ name: "ModelError", code: "overloaded", status: 500 });
    expect(asked).toHaveLength(5);
  });

  it.each([
    [400, "Bad schema", "request"],
    [401, "Bad key", "login"],
    [400, "prompt is too long: 210000 tokens > 200000 maximum", "context"],
  ])("is not repeated if that would not help: %i %s", async (status, message, code) => {
    const { ask, asked } = setUp([callError(status, message)]);
    await expect(ask()).rejects.toMatchObject({ code, status });
    expect(asked).toHaveLength(1);
  });

  it("is not repeated after a cancel, and a wait ends with it", async () => {
    const controller = new AbortController();
    const clock: Clock = {
      now: () => 0,
      random: () => 0,
      sleep: async (_ms, signal) => {
        controller.abort(new Error("cancelled"));
        signal.throwIfAborted();
      },
    };
    let asked = 0;
    const sdkModel = new MockLanguageModelV3({
      doStream: async () => {
        asked += 1;
        throw callError(500, "Broken");
      },
    });
    const model = createLanguageModel(spec, { load: async () => sdkModel, clock });
    const listen = async () => {
      for await (const _ of model.respond({ conversation: hi, tools: [], signal: controller.signal })) void _;
    };
    await expect(listen()).rejects.toThrow();
    expect(asked).toBe(1);
  });
});

describe("an answer that breaks off", () => {
  const boom = new Error("socket hang up");

  it("is not begun anew, since it was seen", async () => {
    const { ask, asked } = setUp([[...text("I th"), { type: "error", error: boom }]]);
    await expect(ask()).rejects.toMatchObject({
      code: "broken_off",
      message: "The answer broke off. The provider could not be asked: socket hang up",
    });
    expect(asked).toHaveLength(1);
  });

  it("counts as one where the provider never says how it ended", async () => {
    const { ask } = setUp([[...text("I th"), finish("other", null)]]);
    await expect(ask()).rejects.toMatchObject({ code: "broken_off" });
  });

  it("is begun anew if it broke off before the first word", async () => {
    const { ask } = setUp([[{ type: "error", error: boom }], [...text("Hello"), finish()]]);
    expect(await ask()).toMatchObject([{ type: "retry" }, { type: "text-delta", text: "Hello" }, { type: "finish" }]);
  });
});

describe("the key", () => {
  it("is asked for before anything is loaded", async () => {
    const model = createLanguageModel({
      ...spec,
      provider: { ...spec.provider, key: undefined, keyVariable: "TEST_KEY" },
    });
    const first = model
      .respond({ conversation: [], tools: [], signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    await expect(first.next()).rejects.toMatchObject({
      code: "login",
      message: "The provider needs a key: set TEST_KEY, or run `turnkit-agent login test`.",
    });
  });

  it("is in no error, also where the provider repeats it", async () => {
    const { ask } = setUp([callError(401, "Incorrect API key provided: sk-secret.")]);
    const error = await ask().catch((thrown) => thrown);
    expect(error.message).toBe(
      "The provider answered 401: Incorrect API key provided: [key]. Store another key with `turnkit-agent login test`, and begin a new session.",
    );
    expect(JSON.stringify({ ...error, cause: error.cause, stack: error.stack })).not.toMatch(/sk-secret|private/);
  });
});
