import type { PermissionOption } from "@turnkit/session";
import { expect, it } from "vitest";
import { allowOnce, rejectOnce } from "./permissions.js";

const option = (optionId: string, kind: string) => ({ optionId, name: optionId, kind }) as PermissionOption;
const always = option("a", "allow_always");
const allow = option("b", "allow_once");
const reject = option("c", "reject_once");

it("selects by kind, wherever the option stands", () => {
  expect(allowOnce({ options: [always, reject, allow] })).toEqual({ outcome: "selected", optionId: "b" });
  expect(rejectOnce({ options: [always, allow, reject] })).toEqual({ outcome: "selected", optionId: "c" });
});

it.each([
  ["no option of the kind", [always, reject]],
  ["several options of the kind", [allow, option("d", "allow_once")]],
  ["an id that another option has too", [option("b", "allow_always"), allow]],
  ["no options", []],
])("cancels a question with %s", (_, options) => {
  expect(allowOnce({ options })).toEqual({ outcome: "cancelled" });
});
