import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { open } from "./raw-client.js";

/** Runs one prompt. Returns the message of the error that fails it, and what the client saw. */
async function outcomeOf(prompt: (turn: Turn) => unknown) {
  const { client, sessionId } = await open({ prompt: prompt as never }, { validateOutgoing: undefined as never });
  const { error } = await client.ask(sessionId);
  return { message: String(error?.data?.details), updates: client.updates() };
}

async function* pieces(piece: unknown) {
  yield piece;
}

const response = () => new Response("the answer");
const bytes = new TextEncoder().encode("the answer");

describe("defect N40: say refuses a value that it cannot show, and says what to pass", () => {
  test.each<[string, () => unknown, string]>([
    ["a response", response, "turn.say got an object of another form: pass its text, or its body as decoded text"],
    ["a blob", () => new Blob(["x"]), "turn.say got an object of another form: pass its text"],
    ["the body of a response", () => response().body, "turn.say stream got bytes: decode them, such as with"],
    ["bytes", () => bytes, "turn.say got bytes: decode them, such as with"],
    ["a promise", () => response().text(), "turn.say got a promise: await it"],
    ["a list", () => ["a"], "turn.say got a list: pass a text, a content block or a stream of texts"],
    ["an object without a type", () => ({ text: "a" }), "turn.say got an object of another form: pass its text"],
    ["a part of a stream", () => ({ type: "text-delta", text: "a" }), 'turn.say type got "text-delta": pass its text'],
    ["a stream of parts", () => pieces({ type: "text-delta", text: "a" }), "turn.say stream got an object of another"],
    ["an unknown block", () => ({ type: "html", html: "" }), 'turn.say type got "html": pass text, image, audio,'],
    ["a text block without text", () => ({ type: "text", content: "a" }), "turn.say text got undefined: pass a text"],
    ["an image without data", () => ({ type: "image", mimeType: "image/png" }), "turn.say data got undefined: pass"],
    ["an image without a type", () => ({ type: "image", data: "" }), "turn.say mimeType got undefined: pass a text"],
    ["a link without an address", () => ({ type: "resource_link", name: "a" }), "turn.say uri got undefined"],
    ["a resource without one", () => ({ type: "resource", uri: "a" }), "turn.say resource got undefined: pass"],
    ["a resource without text", () => ({ type: "resource", resource: { uri: "a" } }), "turn.say resource got an obj"],
  ])("%s", async (_, value, message) => {
    const said = await outcomeOf((turn) => turn.say(value() as never));
    expect(said.message).toContain(message);
    expect(said.updates).toEqual([]);
    const thought = await outcomeOf((turn) => turn.think(value() as never));
    expect(thought.message).toContain(message.replaceAll("turn.say", "turn.think"));
  });

  test("and accepts each block, and a body as text", async () => {
    const blocks = [
      { type: "text", text: "" },
      { type: "image", data: "", mimeType: "image/png", uri: null },
      { type: "audio", data: "", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource", resource: { uri: "file:///a", blob: "" } },
    ];
    const { updates } = await outcomeOf(async (turn) => {
      for (const block of [...blocks, { type: "_own", data: 1 }]) await turn.say(block as never);
      await turn.say(response().body?.pipeThrough(new TextDecoderStream()) as never);
    });
    expect(updates.map(({ content }) => content).slice(0, 6)).toEqual(blocks);
    expect(updates.at(-1)?.content).toEqual({ type: "text", text: "the answer" });
  });

  test("and contents of tool calls follow the same rule", async () => {
    const said = await outcomeOf((turn) =>
      turn.toolCall({ title: "Read" }).append({ type: "content", content: { type: "text", content: "a" } as never }),
    );
    expect(said.message).toContain("append of a tool call text got undefined: pass a text");
  });
});

describe("defect N41: an update of a known type with members of another form is refused", () => {
  test.each<[object, string]>([
    [{ type: "agent_message_chunk", text: "lost" }, "emit agent_message_chunk content got undefined: pass a block"],
    [{ type: "agent_message_chunk", content: "lost" }, 'emit agent_message_chunk content got "lost": pass a block'],
    [{ type: "agent_message_chunk", content: { type: "text" } }, "agent_message_chunk content text got undefined"],
    [{ type: "agent_message", content: [] }, "emit agent_message messageId got undefined: pass a text"],
    [{ type: "agent_message", messageId: "1", content: { type: "text", text: "a" } }, "content got an object"],
    [{ type: "agent_message", messageId: "1", content: ["a"] }, 'emit agent_message content got "a": pass a block'],
    [{ type: "tool_call_update", status: "completed" }, "emit tool_call_update toolCallId got undefined: pass a text"],
    [
      { type: "tool_call_content_chunk", toolCallId: "1", content: {} },
      "content got an object of another form: pass co",
    ],
    [{ type: "terminal_output_chunk", terminalId: "1" }, "emit terminal_output_chunk data got undefined: pass a text"],
    [{ type: "plan_update", entries: [] }, "emit plan_update plan got undefined: pass a plan such as"],
    [{ type: "available_commands_update", availableCommands: [{ name: "a" }] }, "availableCommands command 0 got an"],
    [{ type: "config_option_update", configOptions: [{ id: "a" }] }, "configOptions option 0 got an object"],
    [{ type: "session_info_update", title: 7 }, "emit session_info_update title got 7: pass a text"],
    [{ type: "usage_update", used: "9", size: 10 }, 'emit usage_update used got "9": pass a number of tokens'],
    [{ type: "notice", title: "a" }, "emit notice severity got undefined: pass a text"],
    [{ type: "compaction_update", status: "completed" }, "emit compaction_update compactionId got undefined"],
  ])("%j", async (event, message) => {
    const emitted = await outcomeOf((turn) => turn.emit(event as never));
    expect(emitted.message).toContain(message);
    expect(emitted.updates).toEqual([]);
    expect((await outcomeOf((turn) => turn.session.emit(event as never))).message).toContain(message);
  });

  test("and an update that a later version may have passes", async () => {
    const { updates } = await outcomeOf(async (turn) => {
      await turn.emit({ type: "agent_message_chunk", content: { type: "later" } as never });
      await turn.emit({ type: "_own" } as never);
      await turn.emit({ type: "usage_update", used: 1, size: 2, cost: null });
    });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toContain("usage_update");
  });
});

describe("defect N41: usage of another form", () => {
  test.each<[unknown, string]>([
    [{ input: 10, output: 20 }, "reportUsage used got undefined: pass a number of tokens"],
    [{ used: 10 }, "reportUsage size got undefined: pass a number of tokens"],
    [{ used: Number.NaN, size: 1 }, "reportUsage used got NaN: pass a number of tokens"],
    [{ used: 1, size: 1, cost: 0.02 }, "reportUsage cost got 0.02: pass a cost such as"],
  ])("is refused by reportUsage: %j", async (usage, message) => {
    const { message: thrown } = await outcomeOf((turn) => turn.session.reportUsage(usage as never));
    expect(thrown).toContain(message);
  });

  test.each([{ tokens: 30 }, { totalTokens: 1, inputTokens: 1, outputTokens: "0" }, { totalTokens: Number.NaN }])(
    "is left out of the end of a turn, and reported: %j",
    async (usage) => {
      const { client, sessionId, diagnostics } = await open({
        prompt: () => ({ stopReason: "refusal", usage }) as never,
      });
      expect((await client.ask(sessionId)).result).toEqual({ stopReason: "refusal" });
      expect(diagnostics).toMatchObject([
        {
          code: "handler_failed",
          message: expect.stringContaining("Pass usage such as { totalTokens, inputTokens, outputTokens }"),
        },
      ]);
    },
  );
});
