import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import { diff, type ToolCall, toolCall, toolCallUpdate } from "./index.js";

const call = { toolCallId: "t1", title: "Run" };

describe("tool calls", () => {
  it("keeps content of an unknown type", () => {
    const value = {
      ...call,
      content: [
        { type: "chart", points: [1] },
        { type: "terminal", terminalId: "x" },
      ],
    };
    const read = parse(toolCall, value);
    expect(read).toMatchObject({ unrecognized: [{ path: ["content", 0, "type"] }] });
    expect("value" in read && read.value).toBe(value);
  });

  it("keeps an unknown kind and an unknown status as strings", () => {
    for (const schema of [toolCall, toolCallUpdate]) {
      const value = { ...call, kind: "dance", status: "paused" };
      expect(parse(schema, value)).toMatchObject({ value, unrecognized: [{ path: ["kind"] }, { path: ["status"] }] });
    }
  });

  it("reads a kind or status that is no string as absent (V1-UPD-10, V1-UPD-14)", () => {
    expect(parse(toolCall, { ...call, kind: 5, status: null })).toMatchObject({
      value: call,
      salvaged: [{ path: ["kind"] }, { path: ["status"] }],
    });
    expect(parse(toolCallUpdate, { toolCallId: "t1", kind: {}, title: 5 })).toMatchObject({
      value: { toolCallId: "t1" },
    });
  });

  it("drops malformed content and a wrapper without its block, and remarks a block without its wrapper (V1-TOOL-06)", () => {
    const wrapped = { type: "content", content: { type: "text", text: "a" } };
    const content = [{ type: "diff", path: "/a" }, { type: "content" }, wrapped, { type: "terminal" }, "x"];
    expect(parse(toolCall, { ...call, content })).toMatchObject({ value: { ...call, content: [wrapped] } });
    expect(parse(toolCall, { ...call, content: [wrapped.content] })).toMatchObject({
      unrecognized: [{ path: ["content", 0, "type"] }],
    });
  });

  it("an update with only bad content empties the list, one with no list leaves it (V1-UPD-15)", () => {
    expect(parse(toolCallUpdate, { toolCallId: "t1", content: [5] })).toMatchObject({ value: { content: [] } });
    const read = parse(toolCallUpdate, { toolCallId: "t1", content: 5 }) as { value: object };
    expect(read.value).toEqual({ toolCallId: "t1" });
    expect(parse(toolCallUpdate, { toolCallId: "t1", content: null })).toEqual({
      value: { toolCallId: "t1", content: null },
    });
  });

  it("takes any JSON as raw input and output (V1-TOOL-11)", () => {
    for (const raw of [null, 1, "a", [1], { a: 1 }]) {
      expect(parse(toolCall, { ...call, rawInput: raw, rawOutput: raw }).issues).toBeUndefined();
    }
  });

  it("keeps a location whose line is bad, and drops one without a path (V1-TOOL-10)", () => {
    const locations = [{ path: "/a", line: -1 }, { line: 1 }, { path: "/b", line: null }];
    expect(parse(toolCall, { ...call, locations })).toMatchObject({
      value: { locations: [{ path: "/a" }, { path: "/b", line: null }] },
      salvaged: [{ path: ["locations", 0, "line"] }, { path: ["locations", 1] }],
    });
  });
});

it.each(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"] as const)(
  "the kind %s is one that can be written (V1-TOOL-02)",
  (kind) => {
    const written: ToolCall = { ...call, kind };
    expectOutcome(toolCall, written, fine);
    expectOutcome(toolCallUpdate, { toolCallId: "t1", kind }, fine);
  },
);

it("a kind is a hint: a call without one is as good, one of another protocol is not lost (V1-TOOL-02)", () => {
  expectOutcome(toolCall, call, fine);
  expectOutcome(toolCall, { ...call, kind: "Read" }, { kept: ["kind"] });
  expectOutcome(toolCall, { ...call, kind: null }, { salvaged: ["kind"], as: call });
});

describe("a diff (V1-TOOL-07)", () => {
  const change = { path: "/a", oldText: "a", newText: "b" };
  const newFile = { path: "/a", newText: "b" };

  it.each<Case>([
    ["of a change", diff, change, fine],
    ["of a new file, which has no old text", diff, newFile, fine],
    ["of a new file, whose old text is null", diff, { ...newFile, oldText: null }, fine],
    ["of an empty file that was filled, which is no new one", diff, { ...change, oldText: "" }, fine],
    ["that empties a file", diff, { ...change, newText: "" }, fine],
    ["whose old text is garbage", diff, { ...change, oldText: 5 }, { salvaged: ["oldText"], as: newFile }],
    [
      "that would delete a file, which nothing here can say",
      diff,
      { ...change, newText: null },
      { refused: ["newText"] },
    ],
    ["without the new text", diff, { path: "/a", oldText: "a" }, { refused: ["newText"] }],
    ["without a path", diff, { newText: "b" }, { refused: ["path"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
