import { describe, expect, it } from "vitest";
import { recallConversation } from "./recall.js";

type Timeline = Parameters<typeof recallConversation>[0]["timeline"];

/** Entries of a session's state, reduced to the members that a recall reads. */
const recall = (...entries: readonly object[]) => recallConversation({ timeline: entries as unknown as Timeline });

const list = (...items: readonly object[]) => ({ toArray: () => items });
const text = (value: string) => ({ type: "text", text: value });
const said = (role: string, value: string) => ({ type: "message", role, content: list(text(value)) });
const call = (id: string, more: object = {}) => ({
  type: "tool_call",
  toolCallId: id,
  name: "read_file",
  status: "completed",
  content: list(),
  rawInput: { path: id },
  ...more,
});
const compaction = (summary: string, status = "completed") => ({
  type: "compaction",
  status,
  summary: list(text(summary)),
});

describe("what a model remembers after a restore", () => {
  it("is what was asked and said, without the thoughts", () => {
    expect(recall(said("user", "hi"), said("thought", "hm"), said("agent", "hello"), said("user", "bye"))).toEqual([
      { role: "user", content: [text("hi")] },
      { role: "assistant", content: [text("hello")] },
      { role: "user", content: [text("bye")] },
    ]);
  });

  it("is each tool call right before its result, step by step", () => {
    const items = recall(
      said("user", "look"),
      said("agent", "I look."),
      call("a", { rawOutput: { lines: 2 } }),
      call("b", { status: "failed", content: list({ type: "content", content: text("not there") }) }),
      said("agent", "Again."),
      call("c", { status: "cancelled" }),
      call("d", { rawOutput: { matches: 1, text: "a.ts:1: x" } }),
    );
    expect(items).toEqual([
      { role: "user", content: [text("look")] },
      {
        role: "assistant",
        content: [
          text("I look."),
          { type: "tool-call", toolCallId: "a", toolName: "read_file", input: { path: "a" } },
          { type: "tool-call", toolCallId: "b", toolName: "read_file", input: { path: "b" } },
        ],
      },
      {
        role: "tool",
        content: [
          { toolCallId: "a", toolName: "read_file", output: { type: "text", value: '{"lines":2}' } },
          {
            toolCallId: "b",
            toolName: "read_file",
            output: { type: "error", code: "failed", message: "not there" },
          },
        ],
      },
      {
        role: "assistant",
        content: [
          text("Again."),
          { type: "tool-call", toolCallId: "c", toolName: "read_file", input: { path: "c" } },
          { type: "tool-call", toolCallId: "d", toolName: "read_file", input: { path: "d" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            toolCallId: "c",
            toolName: "read_file",
            output: { type: "error", code: "cancelled", message: "The call was cancelled." },
          },
          { toolCallId: "d", toolName: "read_file", output: { type: "text", value: "a.ts:1: x" } },
        ],
      },
    ]);
  });

  it("is what a command stood for, and not the command", () => {
    expect(recall(said("user", "/plan a cart"))[0]).toMatchObject({
      content: [{ text: expect.stringContaining("Plan this: a cart") }],
    });
  });

  it("is the summary in place of what was compacted, and the turn in which that happened", () => {
    const before = [said("user", "one"), said("agent", "1")];
    const during = recall(...before, said("user", "two"), said("agent", "2"), compaction("short"), said("agent", "3"));
    expect(during.map(({ role }) => role)).toEqual(["user", "user", "assistant", "assistant"]);
    expect(JSON.stringify(during)).not.toContain('"one"');
    expect(JSON.stringify(during[0])).toContain("short");
    const between = recall(...before, said("user", "/compact"), compaction("short"), said("agent", "Done."));
    expect(between.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(recall(...before, compaction("none", "failed"))).toHaveLength(2);
  });

  it("is bounded for each output", () => {
    const [, , tool] = recall(said("user", "x"), call("a", { rawOutput: "y".repeat(100_000) }));
    expect(JSON.stringify(tool).length).toBeLessThan(21_000);
  });
});
