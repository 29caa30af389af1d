import { describe, expect, it } from "vitest";
import { parse } from "../../index.js";
import * as stable from "../index.js";
import { promptResponse, type SessionUpdate, sessionUpdate } from "./index.js";

describe("unstable updates of version 1", () => {
  it("are kept by the stable schema and checked by the unstable one (P-PLAN-07)", () => {
    const update = { sessionUpdate: "plan_update", plan: { type: "file", planId: "p" } };
    expect(parse(stable.sessionUpdate, update)).toMatchObject({ unrecognized: [{ path: ["plan", "type"] }] });
    expect(parse(sessionUpdate, update).issues).toMatchObject([{ path: ["plan", "uri"] }]);
    expect(parse(sessionUpdate, { sessionUpdate: "hologram" })).toMatchObject({ unrecognized: [{}] });
  });

  it("refuse a child's malformed place and forgive its malformed state (V1-UNST-10)", () => {
    const update = { sessionUpdate: "subagent_update", sessionId: "c" };
    expect(parse(sessionUpdate, { ...update, cwd: 5 }).issues).toHaveLength(1);
    expect(parse(sessionUpdate, { ...update, additionalDirectories: [5] }).issues).toHaveLength(1);
    expect(parse(sessionUpdate, { ...update, state: { state: 5 } })).toMatchObject({ value: update });
    expect(parse(sessionUpdate, { ...update, state: null, cwd: null })).toEqual({
      value: { ...update, state: null, cwd: null },
    });
  });

  it("narrow, stable ones included", () => {
    const tell = (update: SessionUpdate) =>
      update.sessionUpdate === "plan_removed"
        ? update.planId
        : update.sessionUpdate === "tool_call"
          ? update.title
          : undefined;
    expect(tell({ sessionUpdate: "plan_removed", planId: "p" })).toBe("p");
    expect(tell({ sessionUpdate: "tool_call", toolCallId: "t", title: "T" })).toBe("T");
  });
});

it("a prompt's result may tell its usage, and a malformed one is no reason to lose the result (V1-UNST-01)", () => {
  const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2, thoughtTokens: null };
  expect(parse(promptResponse, { stopReason: "end_turn", usage })).toEqual({
    value: { stopReason: "end_turn", usage },
  });
  expect(parse(promptResponse, { stopReason: "end_turn", usage: { totalTokens: 3 } })).toMatchObject({
    value: { stopReason: "end_turn" },
    salvaged: [{ path: ["usage"] }],
  });
});
