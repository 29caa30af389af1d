import type { SessionEvent } from "@turnkit/session";
import { expect, it } from "vitest";
import { createPermissionCounter } from "./permission-count.js";

const kinds = ["allow_once", "allow_always", "reject_once", "reject_always", "_other"] as const;
const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind: kind as "allow_once" }));
const asked = (requestId: string): SessionEvent => ({ type: "permission_asked", requestId, title: "Push", options });
const answered = (requestId: string, optionId?: string): SessionEvent => ({
  ...{ type: "permission_answered", requestId },
  outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
});

it.each([
  ["allow_once", 1, 0],
  ["allow_always", 1, 0],
  ["_other", 1, 0],
  ["reject_once", 0, 1],
  ["reject_always", 0, 1],
  [undefined, 0, 1],
])("defect P7: the answer %s counts as allowed or denied", (optionId, allowed, denied) => {
  const counter = createPermissionCounter();
  expect(counter.add(asked("r"), "s")).toBeUndefined();
  expect(counter.add(answered("r", optionId), "s")).toBe(denied > 0 ? "Push" : undefined);
  expect(counter.count).toEqual({ allowed, denied });
});

it("questions of several sessions may have the same id", () => {
  const counter = createPermissionCounter();
  for (const session of ["a", "b"]) counter.add(asked("r"), session);
  counter.add(answered("r", "allow_once"), "a");
  counter.add(answered("r", "reject_once"), "b");
  expect(counter.count).toEqual({ allowed: 1, denied: 1 });
});
