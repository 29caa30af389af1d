import { describe, expect, it } from "vitest";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce, reduceAll } from "../reduce.js";

const plan = (planId: string, ...contents: readonly string[]): SessionEvent => ({
  type: "plan_update",
  plan: {
    planId,
    type: "items",
    entries: contents.map((content) => ({ content, priority: "low", status: "pending" })),
  },
});

describe("plans", () => {
  it("V1-UPD-21: are replaced whole, each under its id", () => {
    const state = reduceAll(createSessionState(), [plan("a", "1", "2"), plan("b", "x"), plan("a", "3")]);
    expect(JSON.parse(JSON.stringify(state.plans))).toMatchObject([
      { planId: "a", entries: [{ content: "3" }] },
      { planId: "b", entries: [{ content: "x" }] },
    ]);
  });

  it("V2-UPD-16: are replaced also by one of another form", () => {
    const file: SessionEvent = { type: "plan_update", plan: { planId: "a", type: "file", uri: "file:///p.md" } };
    expect(reduceAll(createSessionState(), [plan("a", "1"), file]).plans.at(0)).toEqual({
      planId: "a",
      type: "file",
      uri: "file:///p.md",
    });
  });

  it("V2-UPD-18: are forgotten, and come back at the end", () => {
    const removed: SessionEvent = { type: "plan_removed", planId: "a" };
    const state = reduceAll(createSessionState(), [plan("a", "1"), plan("b", "x"), removed, plan("a", "2")]);
    expect([...state.plans].map(({ planId }) => planId)).toEqual(["b", "a"]);
    expect(reduce(createSessionState(), removed).plans.length).toBe(0);
  });

  it("are bounded in number, the oldest goes", () => {
    const state = reduceAll(
      createSessionState(),
      Array.from({ length: 150 }, (_, index) => plan(`${index}`, "x")),
    );
    expect([state.plans.length, state.plans.at(0)?.planId]).toEqual([100, "50"]);
  });
});
