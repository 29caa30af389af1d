import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../../test/outcome.js";
import { clientCapabilities, type PlanUpdate, sessionUpdate } from "./index.js";

describe("plans by id (V1-UNST-09)", () => {
  const update = (plan: unknown) => ({ sessionUpdate: "plan_update", plan });
  const entry = { content: "a", priority: "low", status: "pending" };
  const items = { type: "items", planId: "p", entries: [entry] };

  it.each<Case>([
    ["are offered by the client", clientCapabilities, { plan: {} }, fine],
    ["are not offered by a yes", clientCapabilities, { plan: true }, { salvaged: ["plan"], as: {} }],
    ["of entries", sessionUpdate, update(items), fine],
    [
      "of entries, one of them bad",
      sessionUpdate,
      update({ ...items, entries: [{ ...entry, status: "late" }, entry] }),
      { salvaged: ["plan.entries.0"], as: update(items) },
    ],
    [
      "of what is no list",
      sessionUpdate,
      update({ ...items, entries: null }),
      { salvaged: ["plan.entries"], as: update({ ...items, entries: [] }) },
    ],
    ["of nothing", sessionUpdate, update({ type: "items", planId: "p" }), { refused: ["plan.entries"] }],
    ["in a file", sessionUpdate, update({ type: "file", planId: "p", uri: "file:///a" }), fine],
    ["in no file", sessionUpdate, update({ type: "file", planId: "p" }), { refused: ["plan.uri"] }],
    ["as Markdown", sessionUpdate, update({ type: "markdown", planId: "p", content: "- a" }), fine],
    ["as nothing", sessionUpdate, update({ type: "markdown", planId: "p" }), { refused: ["plan.content"] }],
    ["without an id", sessionUpdate, update({ type: "items", entries: [] }), { refused: ["plan.planId"] }],
    [
      "as Markdown in a file (P-PLAN-04)",
      sessionUpdate,
      update({ type: "markdown", planId: "p", content: "- a", path: "/a.md" }),
      fine,
    ],
    ["of an unknown type", sessionUpdate, update({ type: "graph", planId: "p" }), { kept: ["plan.type"] }],
    ["removed", sessionUpdate, { sessionUpdate: "plan_removed", planId: "p" }, fine],
    ["removed without an id", sessionUpdate, { sessionUpdate: "plan_removed" }, { refused: ["planId"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("cannot be written with a type of one's own", () => {
    // @ts-expect-error other types can only be received
    const mine: PlanUpdate = { plan: { type: "_graph", planId: "p" } };
    expectOutcome(sessionUpdate, update(mine.plan), { kept: ["plan.type"] });
  });
});
