import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { promptResponse, requestPermissionRequest, requestPermissionResponse } from "./index.js";

const option = { optionId: "y", name: "Yes", kind: "allow_once" };
const request = { sessionId: "s", toolCall: { toolCallId: "t" }, options: [option] };

describe("session/request_permission", () => {
  it("an unknown kind of option makes the request invalid (V1-LEN-06)", () => {
    expect(parse(requestPermissionRequest, request)).toEqual({ value: request });
    expect(
      parse(requestPermissionRequest, { ...request, options: [option, { ...option, kind: "maybe" }] }).issues,
    ).toEqual([
      {
        path: ["options", 1, "kind"],
        message: 'expected "allow_once" or "allow_always" or "reject_once" or "reject_always", got a string',
      },
    ]);
    expect(parse(requestPermissionRequest, { ...request, options: null }).issues).toHaveLength(1);
  });

  it("takes no options at all (V1-PERM-11)", () => {
    expect(parse(requestPermissionRequest, { ...request, options: [] }).issues).toBeUndefined();
  });

  it("forgives in the tool call what an update forgives", () => {
    const toolCall = { toolCallId: "t", kind: 5, content: [{ type: "diff" }, { type: "terminal", terminalId: "x" }] };
    expect(parse(requestPermissionRequest, { ...request, toolCall })).toMatchObject({
      value: { toolCall: { toolCallId: "t", content: [{ type: "terminal", terminalId: "x" }] } },
    });
  });

  it("is answered by a nested outcome (V1-PERM-02)", () => {
    expect(parse(requestPermissionResponse, { outcome: { outcome: "cancelled" } }).issues).toBeUndefined();
    expect(
      parse(requestPermissionResponse, { outcome: { outcome: "selected", optionId: "y" } }).issues,
    ).toBeUndefined();
    expect(parse(requestPermissionResponse, { outcome: "cancelled" }).issues).toHaveLength(1);
    expect(parse(requestPermissionResponse, { outcome: { outcome: "selected" } }).issues).toHaveLength(1);
    expect(parse(requestPermissionResponse, { outcome: { outcome: "postponed" } }).issues).toHaveLength(1);
  });
});

describe("the result of a prompt", () => {
  it("needs a known stop reason, so that the call fails on another (V1-LEN-06)", () => {
    expect(parse(promptResponse, { stopReason: "end_turn", usage: {}, _meta: {} }).issues).toBeUndefined();
    expect(parse(promptResponse, { stopReason: "bored" }).issues).toHaveLength(1);
    expect(parse(promptResponse, {}).issues).toHaveLength(1);
  });
});
