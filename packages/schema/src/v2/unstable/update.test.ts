import { describe, expect, it } from "vitest";
import { parse } from "../../index.js";
import * as stable from "../index.js";
import { type SessionUpdate, sessionUpdate, setSessionTitleRequest } from "./index.js";

describe("unstable updates of version 2", () => {
  it("are kept by the stable schema and checked by the unstable one (P-PLAN-07)", () => {
    const update = { sessionUpdate: "plan_update", plan: { type: "file", planId: "p" } };
    expect(parse(stable.sessionUpdate, update)).toMatchObject({ unrecognized: [{ path: ["plan", "type"] }] });
    expect(parse(sessionUpdate, update).issues).toMatchObject([{ path: ["plan", "uri"] }]);
  });

  it("take the place of the stable ones, also in types", () => {
    const tell = (update: SessionUpdate): unknown => {
      if (update.sessionUpdate !== "state_update") return update.sessionUpdate;
      if (update.state === "idle") return update.usage?.totalTokens;
      return update.state === "unknown" ? update.background?.map((work) => work.type) : update.state;
    };
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    expect(tell({ sessionUpdate: "state_update", state: "idle", usage })).toBe(3);
    const background = [{ type: "subagent", sessionId: "c" }] as const;
    expect(tell({ sessionUpdate: "state_update", state: "unknown", background })).toEqual(["subagent"]);
    expect(tell({ sessionUpdate: "subagent_update", sessionId: "c", state: { state: "running" } })).toBe(
      "subagent_update",
    );
  });

  it("refuse a child's malformed place and forgive its malformed state (V2-UPD-26)", () => {
    const update = { sessionUpdate: "subagent_update", sessionId: "c" };
    for (const bad of [{ cwd: 5 }, { additionalDirectories: ["/a", 5] }]) {
      expect(parse(sessionUpdate, { ...update, ...bad }).issues).toHaveLength(1);
    }
    expect(parse(sessionUpdate, { ...update, state: { state: 5 }, capabilities: 5 })).toMatchObject({ value: update });
  });
});

it("a title must be there (V2-SES-28)", () => {
  for (const title of [null, 5, undefined]) {
    expect(parse(setSessionTitleRequest, { sessionId: "s", title }).issues).toHaveLength(1);
  }
});
