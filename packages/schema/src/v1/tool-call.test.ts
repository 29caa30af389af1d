import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { toolCall, toolCallUpdate } from "./index.js";

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

  it("drops malformed content, also a block without its wrapper (V1-TOOL-06)", () => {
    const wrapped = { type: "content", content: { type: "text", text: "a" } };
    const content = [{ type: "diff", path: "/a" }, wrapped, { type: "terminal" }, "x"];
    expect(parse(toolCall, { ...call, content })).toMatchObject({ value: { ...call, content: [wrapped] } });
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
