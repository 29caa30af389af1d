import { describe, expect, it } from "vitest";
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
