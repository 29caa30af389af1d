import type { PermissionOption } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { chooseByAnswer } from "./permission-mode.js";

const always = { optionId: "aa", name: "Allow always", kind: "allow_always" } as const;
const once = { optionId: "ao", name: "Allow", kind: "allow_once" } as const;
const reject = { optionId: "ro", name: "Reject", kind: "reject_once" } as const;
const never = { optionId: "ra", name: "Never ask again", kind: "reject_always" } as const;
const all: readonly PermissionOption[] = [always, once, reject, never];

describe("chooseByAnswer", () => {
  it.each([
    ["1", { outcome: "selected", optionId: "aa" }],
    [" 3 ", { outcome: "selected", optionId: "ro" }],
    ["0", { outcome: "cancelled" }],
    ["r", { outcome: "selected", optionId: "ro" }],
    ["N", { outcome: "selected", optionId: "ra" }],
    ["allow", { outcome: "selected", optionId: "ao" }],
    ["ALLOW A", { outcome: "selected", optionId: "aa" }],
    ["c", { outcome: "cancelled" }],
    ["cancel", { outcome: "cancelled" }],
  ])("%j chooses", (answer, choice) => {
    expect(chooseByAnswer(answer, all)).toEqual(choice);
  });

  it.each(["", "  ", "a", "5", "99999999999999999999", "-1", "1.5", "yes", "x"])("%j does not", (answer) => {
    expect(chooseByAnswer(answer, all)).toBeUndefined();
  });
});
