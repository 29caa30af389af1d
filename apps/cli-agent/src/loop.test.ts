import { describe, expect, it } from "vitest";
import { RecordingTurn } from "../test/recording-turn.js";
import { ModelError, ToolError } from "./errors.js";
import { type LoopOptions, runLoop } from "./loop.js";
import type { ConversationItem, Model, ModelPart, ToolOutput } from "./model.js";
import type { Tool, ToolContext } from "./tools/tool.js";

/** Creates a model with one prepared answer per request; the last one is repeated. */
function scripted(...answers: readonly (readonly ModelPart[])[]): Model & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id: "scripted",
    name: "Scripted",
    asked,
    async *respond({ conversation }) {
      asked.push(JSON.stringify(conversation));
      yield* answers[Math.min(asked.length, answers.length) - 1] ?? [];
    },
  };
}

const say = (text: string): ModelPart => ({ type: "text-delta", text });
const call = (toolName: string, input: unknown = {}): ModelPart => ({
  type: "tool-call",
  toolCallId: `${toolName}-id`,
  toolName,
  input,
});
const wantTools: ModelPart = { type: "finish", finishReason: "tool-calls" };
const done: ModelPart = { type: "finish", finishReason: "stop" };

type Run = (input: unknown, context: ToolContext) => Promise<ToolOutput>;

function tool(name: string, run: Run, parallel = false): Tool {
  const open: Tool["open"] = (input, context) => ({ run: () => run(input, context) });
  return { name, description: "", inputSchema: {}, parallel, open };
}

const ok = (value = "ok") => ({ type: "text", value }) as const;

function setUp(model: Model, tools: readonly Tool[] = [], more: Partial<LoopOptions> = {}) {
  const turn = new RecordingTurn();
  const conversation: ConversationItem[] = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
  const context = {} as LoopOptions["context"];
  return {
    turn,
    conversation,
    run: () => runLoop(turn, { model, tools, conversation, context, maxRequests: 50, ...more }),
  };
}

describe("a turn", () => {
  it("says what the model says, thoughts apart, and ends with it", async () => {
    const { turn, conversation, run } = setUp(
      scripted([{ type: "reasoning-delta", text: "hm" }, say("Hello"), say(" there"), done]),
    );
    expect(await run()).toEqual({ stopReason: "end_turn" });
    expect([turn.text, turn.thoughts]).toEqual(["Hello there", "hm"]);
    expect(conversation[1]).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "Hello there" },
      ],
    });
  });

  it.each<[string, readonly (readonly ModelPart[])[], number]>([
    ["nothing", [[done]], 1],
    ["spaces and a thought", [[{ type: "reasoning-delta", text: "hm" }, say(" \n"), done]], 1],
    ["a text", [[say("Hello"), done]], 0],
    ["nothing after a tool", [[call("look"), wantTools], [done]], 0],
    ["nothing within the limit", [[{ type: "finish", finishReason: "length" }]], 0],
  ])("defect P53: reports that the model answered nothing: %s", async (_, answers, times) => {
    let empty = 0;
    const onEmpty = () => {
      empty += 1;
      return undefined;
    };
    const { run } = setUp(scripted(...answers), [tool("look", async () => ok())], { onEmpty });
    await run();
    expect(empty).toBe(times);
  });

  it("keeps pieces apart that the provider keeps apart, with the data that it wants back", async () => {
    const piece = (id: string, text: string, providerMetadata?: unknown): ModelPart => ({
      type: "reasoning-delta",
      id,
      text,
      ...(providerMetadata ? { providerMetadata } : {}),
    });
    const model = scripted([piece("1", "h"), piece("1", "m", "signed"), piece("2", "aha"), done]);
    const { conversation, run } = setUp(model);
    await run();
    expect(conversation[1]?.content).toEqual([
      { type: "reasoning", id: "1", text: "hm", providerMetadata: "signed" },
      { type: "reasoning", id: "2", text: "aha" },
    ]);
  });

  it("makes the calls that the model wants and hands it the results", async () => {
    const model = scripted([say("Let me look."), call("look", { at: 1 }), wantTools], [say("Found it."), done]);
    const { turn, conversation, run } = setUp(model, [tool("look", async (input) => ok(JSON.stringify(input)))]);
    await run();
    expect(turn.text).toBe("Let me look.Found it.");
    expect(conversation.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(conversation[2]?.content).toEqual([
      { toolCallId: "look-id", toolName: "look", output: { type: "text", value: '{"at":1}' } },
    ]);
    expect(model.asked[1]).toContain("look-id");
  });

  it("defect P3: each answer of the model is a message of its own, also if nothing is shown between them", async () => {
    const silent = [tool("plan", async () => ok())];
    const model = scripted(
      [say("I'll make "), say("a plan first."), call("plan"), wantTools],
      [call("plan"), wantTools],
      [say("| a |\n|---|"), call("plan"), wantTools],
      [say("Now I look."), done],
    );
    const { turn, run } = setUp(model, silent);
    await run();
    expect(turn.messages).toEqual(["I'll make a plan first.", "| a |\n|---|", "Now I look."]);
  });

  it("runs neighbouring calls that change nothing at the same time, and others in their order", async () => {
    const log: string[] = [];
    let bothRun = () => {};
    const together = new Promise<void>((resolve) => {
      bothRun = resolve;
    });
    const read = (name: string) =>
      tool(
        name,
        async () => {
          log.push(`${name} begins`);
          // Each call waits for the other, so a sequential run would never end.
          if (log.length === 2) bothRun();
          await together;
          return ok();
        },
        true,
      );
    const write = tool("write", async () => ok(String(log.push("write"))));
    const model = scripted([call("a"), call("b"), call("write"), wantTools], [done]);
    const { conversation, run } = setUp(model, [read("a"), read("b"), write]);
    await run();
    expect(log).toEqual(["a begins", "b begins", "write"]);
    expect(conversation[2]?.content).toMatchObject([{ toolName: "a" }, { toolName: "b" }, { toolName: "write" }]);
  });

  it("V1-PROMPT-05: shows every call of an answer before the first of them begins", async () => {
    const seen: unknown[] = [];
    const shown = (name: string): Tool => ({
      ...tool(name, async () => ok()),
      open: (_input, { turn: { toolCall } }) => {
        const call = toolCall({ title: name });
        const note = async () => {
          seen.push(turn.calls.map(({ title, status }) => `${title} ${status}`).join());
          return ok();
        };
        return { call, run: () => call.run(note) };
      },
    });
    const model = scripted([call("one"), call("two"), wantTools], [done]);
    const { turn, run } = setUp(model, [shown("one"), shown("two")]);
    await run();
    expect(seen).toEqual(["one in_progress,two pending", "one completed,two in_progress"]);
  });

  it("tells the model what went wrong in a tool, and goes on", async () => {
    const model = scripted([call("missing"), call("broken"), call("none"), wantTools], [say("Sorry."), done]);
    const { turn, conversation, run } = setUp(model, [
      tool("missing", () => Promise.reject(new ToolError("not_found", "a.ts does not exist."))),
      tool("broken", () => Promise.reject(new Error("out of paper"))),
    ]);
    expect((await run()).stopReason).toBe("end_turn");
    expect(turn.text).toBe("Sorry.");
    expect(conversation[2]?.content).toMatchObject([
      { output: { type: "error", code: "not_found", message: "a.ts does not exist." } },
      { output: { type: "error", code: "failed", message: "out of paper" } },
      { output: { type: "error", code: "invalid_input", message: "There is no tool `none`." } },
    ]);
  });

  it("ends as max_turn_requests when the model never stops", async () => {
    const model = scripted([call("again"), wantTools]);
    const { run } = setUp(model, [tool("again", async () => ok())], { maxRequests: 3 });
    expect((await run()).stopReason).toBe("max_turn_requests");
    expect(model.asked).toHaveLength(3);
  });

  it("ends as max_tokens when the model ran out of them", async () => {
    const { run } = setUp(scripted([say("and so"), { type: "finish", finishReason: "length" }]));
    expect((await run()).stopReason).toBe("max_tokens");
  });

  it("forgets a prompt that the provider refused", async () => {
    const { conversation, run } = setUp(scripted([say("No."), { type: "finish", finishReason: "content-filter" }]));
    expect((await run()).stopReason).toBe("refusal");
    expect(conversation).toEqual([]);
  });

  it("adds up what the model spent", async () => {
    const spent = (inputTokens: number, outputTokens: number) => ({
      totalTokens: inputTokens + outputTokens,
      inputTokens,
      outputTokens,
    });
    const model = scripted(
      [call("look"), { ...wantTools, usage: spent(10, 2) } as ModelPart],
      [{ ...done, usage: spent(20, 5) } as ModelPart],
    );
    const { run } = setUp(model, [tool("look", async () => ok())]);
    expect((await run()).usage).toMatchObject({ totalTokens: 37, inputTokens: 30, outputTokens: 7 });
  });

  it("fails when the model fails, and keeps the text that was seen", async () => {
    const model: Model = {
      id: "x",
      name: "X",
      async *respond() {
        yield say("I th");
        throw new Error("503 from the provider");
      },
    };
    const { conversation, run } = setUp(model);
    await expect(run()).rejects.toThrow("503 from the provider");
    expect(conversation[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "I th" }] });
  });

  it("fails when the model stops in the middle of its answer", async () => {
    await expect(setUp(scripted([say("I th")])).run()).rejects.toThrow("Scripted stopped in the middle of its answer.");
  });
});

describe("a provider in trouble", () => {
  const tooLong = new ModelError("It is too long.", { code: "context", provider: "P" });

  /** Creates a model that fails once and then answers. */
  function failing(error: Error): Model & { asked: number } {
    return {
      id: "x",
      name: "X",
      asked: 0,
      async *respond() {
        this.asked += 1;
        if (this.asked === 1) throw error;
        yield* [say("Hello."), done];
      },
    };
  }

  it("is asked again by its model: what came before counts for nothing, and the user hears why", async () => {
    const received: string[] = [];
    const unsaid: ModelPart = { type: "reasoning-delta", text: "", providerMetadata: "half" };
    const model = scripted([unsaid, { type: "retry", reason: "503", delayMs: 5 }, say("Hello."), done]);
    const { turn, conversation, run } = setUp(model, [], { onRetry: ({ reason }) => void received.push(reason) });
    expect((await run()).stopReason).toBe("end_turn");
    expect(received).toEqual(["503"]);
    expect(turn.thoughts).toBe("");
    expect(conversation[1]?.content).toEqual([{ type: "text", text: "Hello." }]);
  });

  it("that finds the conversation too long is asked once more if it could be shortened", async () => {
    const model = failing(tooLong);
    const why: string[] = [];
    const makeRoom = async (reason: string) => why.push(reason) > 0;
    expect((await setUp(model, [], { makeRoom }).run()).stopReason).toBe("end_turn");
    expect(why).toEqual(["due", "refused"]);
    expect(model.asked).toBe(2);
  });

  it.each([
    ["nothing could be left out", tooLong, false],
    ["it is about something else", new ModelError("No.", { code: "request", provider: "P" }), true],
  ])("is not asked again if %s", async (_, error, shorter) => {
    const model = failing(error);
    await expect(setUp(model, [], { makeRoom: async () => shorter }).run()).rejects.toBe(error);
    expect(model.asked).toBe(1);
  });
});

describe("a cancelled turn", () => {
  it("stops between two parts of an answer", async () => {
    const model: Model = {
      id: "x",
      name: "X",
      async *respond() {
        yield say("one");
        turn.controller.abort();
        yield say("two");
      },
    };
    const { turn, conversation, run } = setUp(model);
    expect((await run()).stopReason).toBe("cancelled");
    expect(turn.text).toBe("one");
    expect(conversation).toHaveLength(2);
  });

  it("ends as cancelled when the abort makes the model fail", async () => {
    const model: Model = {
      id: "x",
      name: "X",
      async *respond({ signal }) {
        turn.controller.abort();
        signal.throwIfAborted();
        yield done;
      },
    };
    const { turn, run } = setUp(model);
    expect((await run()).stopReason).toBe("cancelled");
  });

  it("ends the calls that it had shown and does not make any more", async () => {
    const model = scripted([call("stop"), call("later"), wantTools], [done]);
    const later: Tool = {
      ...tool("later", async () => ok()),
      open: (_input, { turn: { toolCall } }) => ({ call: toolCall({ title: "later" }), run: async () => ok() }),
    };
    const stop = tool("stop", async () => ok(String(turn.controller.abort())));
    const { turn, run } = setUp(model, [stop, later]);
    expect((await run()).stopReason).toBe("cancelled");
    expect(turn.calls).toMatchObject([{ title: "later", status: "cancelled" }]);
  });

  it("leaves no call without a result, and starts no further tool", async () => {
    let started = 0;
    const model = scripted([call("stop"), call("later"), wantTools], [say("never"), done]);
    const { turn, conversation, run } = setUp(model, [
      tool("stop", async (_input, { signal }) => {
        turn.controller.abort();
        signal.throwIfAborted();
        return ok();
      }),
      tool("later", async () => {
        started += 1;
        return ok();
      }),
    ]);
    expect((await run()).stopReason).toBe("cancelled");
    expect(started).toBe(0);
    expect(turn.text).toBe("");
    expect(conversation[2]?.content).toMatchObject([
      { toolName: "stop", output: { code: "cancelled" } },
      { toolName: "later", output: { code: "cancelled" } },
    ]);
  });
});
