import { describe, expect, it } from "vitest";
import type { ConversationItem } from "../model.js";
import { restoreConversation as restore, type StoredConversation, storeConversation } from "./stored-conversation.js";

type Past = Parameters<typeof restore>[0];

const restoreConversation = (past: Past, stored: StoredConversation) => restore(past, { stored });

const text = (value: string) => ({ type: "text", text: value }) as const;
const list = (...items: readonly object[]) => ({ toArray: () => items });
const message = (role: string, messageId: string, value: string) => ({
  type: "message",
  role,
  messageId,
  content: list(text(value)),
});
const past = (...entries: readonly object[]): Past => ({ timeline: entries }) as unknown as Past;

const user = (promptId: string, value: string): ConversationItem => ({
  role: "user",
  promptId,
  content: [text(value)],
});
const said = (value: string): ConversationItem => ({ role: "assistant", content: [text(value)] });
const call = (toolCallId: string): ConversationItem => ({
  role: "assistant",
  content: [
    { type: "reasoning", text: "hm", providerMetadata: { p: { signature: "s" } } },
    { type: "tool-call", toolCallId, toolName: "read_file", input: { path: "a" } },
  ],
});
const result = (toolCallId: string, value: string): ConversationItem => ({
  role: "tool",
  content: [{ toolCallId, toolName: "read_file", output: { type: "text", value } }],
});

/** Stores as a log does. */
const kept = (stored: StoredConversation): StoredConversation => JSON.parse(JSON.stringify(stored));

describe("defect P12: a stored conversation", () => {
  const conversation = [user("1", "/plan a cart"), call("c"), result("c", "1\tcontent of the file"), said("Done.")];
  const timeline = [message("user", "1", "/plan a cart"), message("agent", "a", "Done.")];

  it("has what tools returned and what providers want back, and prompts only by their ids", () => {
    const stored = kept(storeConversation(conversation, past(...timeline)));
    expect(JSON.stringify(stored)).not.toContain("a cart");
    expect(stored.items).toEqual([{ role: "user", promptId: "1" }, ...conversation.slice(1)]);
    const restored = restoreConversation(past(...timeline), stored);
    expect(restored.slice(1)).toEqual(conversation.slice(1));
    expect(restored[0]).toMatchObject({
      promptId: "1",
      content: [{ text: expect.stringContaining("Plan this: a cart") }],
    });
  });

  it("is followed by what only the timeline has, such as a turn in which the agent was killed", () => {
    const stored = kept(storeConversation(conversation, past(...timeline)));
    const later = [message("user", "2", "And tax?"), message("agent", "b", "I look")];
    expect(restoreConversation(past(...timeline, ...later), stored).slice(4)).toEqual([
      user("2", "And tax?"),
      said("I look"),
    ]);
  });

  it("is followed by nothing that it has, also where the state has dropped its prompts", () => {
    const stored = kept(storeConversation(conversation, past(...timeline)));
    const restored = restoreConversation(past(message("agent", "a", "Done.")), stored);
    expect(restored).toHaveLength(4);
    expect(restored[0]).toMatchObject({ content: [{ text: "[This message was not kept.]" }] });
  });

  it("has the summary in place of what was compacted", () => {
    const summary: ConversationItem = { role: "user", content: [text("Summary: a cart.")] };
    const stored = kept(storeConversation([summary, said("Yes.")], past(...timeline)));
    expect(restoreConversation(past(...timeline), stored)).toEqual([summary, said("Yes.")]);
  });

  it("has notes in place of pictures and other attachments", () => {
    const picture = { type: "picture", mimeType: "image/png", data: "aGk=", text: "The picture a.png." } as const;
    const items: ConversationItem[] = [
      { role: "user", content: [{ type: "image", mimeType: "image/png", data: "aGk=" }] },
      { role: "tool", content: [{ toolCallId: "c", toolName: "read_file", output: picture }] },
    ];
    const stored = JSON.stringify(storeConversation(items, past()));
    expect(stored).not.toContain("aGk=");
    expect(stored).toContain("The picture a.png. It was not kept: read it again.");
  });

  it("is bounded: first the oldest results are cut, then the oldest turns go", () => {
    const turns = Array.from({ length: 10 }, (_, at) => [
      user(`${at}`, `prompt ${at}`),
      call(`c${at}`),
      result(`c${at}`, `${at} ${"é".repeat(5_000)}`),
      said(`answer ${at} ${"x".repeat(1_000)}`),
    ]).flat();
    const bytes = (stored: StoredConversation) => Buffer.byteLength(JSON.stringify(stored.items));
    const some = storeConversation(turns, past(), 80_000);
    expect(bytes(some)).toBeLessThan(81_000);
    expect(some.items).toHaveLength(40);
    expect(JSON.stringify(some.items[2])).toContain("The rest was not kept");
    expect(JSON.stringify(some.items[1])).not.toContain("hm");
    expect(some.items.at(-2)).toEqual(turns.at(-2));
    const few = storeConversation(turns, past(), 20_000);
    expect(bytes(few)).toBeLessThan(20_000);
    expect(few.items[0]).toMatchObject({ role: "user" });
    expect(few.items.at(-1)).toEqual(turns.at(-1));
    expect(storeConversation(turns, past(), 10).items).toEqual([]);
  });

  it.each([
    undefined,
    {},
    { items: [null] },
    { items: [{ role: "user" }] },
    { items: [{ role: "tool", content: "x" }] },
  ])("is not used if it is none: %j", (stored) => {
    expect(restoreConversation(past(...timeline), stored as never)).toHaveLength(2);
  });
});
