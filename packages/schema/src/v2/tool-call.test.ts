import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import { requestPermissionRequest, type ToolCallUpdate, terminalUpdate, toolCallUpdate } from "./index.js";

const call = { toolCallId: "t" };

describe("tool calls", () => {
  it("reads malformed capabilities as null, which takes the controls away", () => {
    for (const capabilities of [true, [], "cancel"]) {
      expect(parse(toolCallUpdate, { ...call, capabilities })).toMatchObject({
        value: { ...call, capabilities: null },
        salvaged: [{ path: ["capabilities"] }],
      });
      expect(parse(terminalUpdate, { terminalId: "t", capabilities })).toMatchObject({ value: { capabilities: null } });
    }
    expect(parse(toolCallUpdate, { ...call, capabilities: { cancel: true } })).toMatchObject({
      value: { ...call, capabilities: {} },
      salvaged: [{ path: ["capabilities", "cancel"] }],
    });
    expect(parse(toolCallUpdate, call)).toEqual({ value: call });
  });

  it("tells null, absent and malformed apart (V2-UPD-02)", () => {
    const cleared = { ...call, title: null, kind: null, status: null, content: null, locations: null, rawInput: null };
    expect(parse(toolCallUpdate, cleared)).toEqual({ value: cleared });
    const read = parse(toolCallUpdate, { ...call, title: 1, kind: 2, status: {}, content: {}, locations: 3 });
    expect(read).toMatchObject({ value: call });
    expect("value" in read && Object.keys(read.value)).toEqual(["toolCallId"]);
  });

  it("is read the same way in a question about it, which a malformed subject makes invalid (V2-PERM-03)", () => {
    const ask = { sessionId: "s", title: "Run?", options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] };
    const subject = { type: "tool_call", toolCall: { ...call, capabilities: 5 } };
    expect(parse(requestPermissionRequest, { ...ask, subject })).toMatchObject({
      value: { subject: { toolCall: { ...call, capabilities: null } } },
    });
    for (const bad of [5, {}, { type: "tool_call" }, { type: "tool_call", toolCall: {} }]) {
      expect(parse(requestPermissionRequest, { ...ask, subject: bad }).issues).toHaveLength(1);
    }
    expect(parse(requestPermissionRequest, { ...ask, subject: null }).issues).toBeUndefined();
  });

  it("can be written with values of one's own, not with values of a future protocol (V2-EXT-01)", () => {
    const mine: ToolCallUpdate = { toolCallId: "t", kind: "_dance", status: "_resting" };
    // @ts-expect-error nobody but the protocol may write this
    const future: ToolCallUpdate = { toolCallId: "t", kind: "dance" };
    expect(parse(toolCallUpdate, mine)).toEqual({ value: mine });
    expect(parse(toolCallUpdate, future)).toMatchObject({ unrecognized: [{ path: ["kind"] }] });
  });
});

it.each(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"] as const)(
  "the kind %s is one that can be written (V2-TOOL-03)",
  (kind) => {
    const written: ToolCallUpdate = { ...call, kind };
    expectOutcome(toolCallUpdate, written, fine);
  },
);

it.each(["pending", "in_progress", "paused", "completed", "failed", "cancelled"] as const)(
  "the status %s is one that can be written (V2-TOOL-04)",
  (status) => {
    const written: ToolCallUpdate = { ...call, status };
    expectOutcome(toolCallUpdate, written, fine);
  },
);

describe("what a tool call holds", () => {
  const content = (...items: unknown[]) => ({ ...call, content: items });
  const places = (...locations: unknown[]) => ({ ...call, locations });
  const text = { type: "content", content: { type: "text", text: "a" } };
  const diff = { type: "diff", changes: [{ operation: "add", path: "/a" }] };
  const patch = { format: "git_patch", text: "diff --git" };
  const terminal = { type: "terminal", terminalId: "x" };

  it.each<Case>([
    ["V2-TOOL-03 a kind of the future is kept", toolCallUpdate, { ...call, kind: "browse" }, { kept: ["kind"] }],
    ["V2-TOOL-04 a status of the future is kept", toolCallUpdate, { ...call, status: "frozen" }, { kept: ["status"] }],
    ["V2-TOOL-07 content, diff and terminal", toolCallUpdate, content(text, diff, terminal), fine],
    [
      "V2-TOOL-07 each with metadata",
      toolCallUpdate,
      content(...[text, diff, terminal].map((item) => ({ ...item, _meta: { a: 1 } }))),
      fine,
    ],
    ["V2-TOOL-07 a diff with its patch", toolCallUpdate, content({ ...diff, patch }), fine],
    [
      "V2-TOOL-07 a diff with a bad patch",
      toolCallUpdate,
      content({ ...diff, patch: "diff --git" }),
      { salvaged: ["content.0.patch"], as: content(diff) },
    ],
    [
      "V2-TOOL-07 an item that nobody here knows",
      toolCallUpdate,
      content({ type: "chart", points: [1] }, text),
      { kept: ["content.0.type"] },
    ],
    [
      "V2-TOOL-07 items without their members",
      toolCallUpdate,
      content({ type: "content" }, { type: "diff" }, { type: "terminal" }, text),
      { salvaged: ["content.0", "content.1", "content.2"], as: content(text) },
    ],
    [
      "V2-TOOL-08 a place",
      toolCallUpdate,
      places({ path: "/a" }, { path: "/a", line: 1 }, { path: "/a", line: null }),
      fine,
    ],
    [
      "V2-TOOL-08 a malformed line, 0 among them, is none",
      toolCallUpdate,
      places({ path: "/a", line: 0 }, { path: "/b", line: "1" }, { path: "/c", line: 1.5 }),
      {
        salvaged: ["locations.0.line", "locations.1.line", "locations.2.line"],
        as: places({ path: "/a" }, { path: "/b" }, { path: "/c" }),
      },
    ],
    ["V2-TOOL-08 no path", toolCallUpdate, places({ line: 1 }), { salvaged: ["locations.0"], as: places() }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
