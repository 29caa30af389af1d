import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { PermissionOption } from "@turnkit/session";
import { describe, expect, it, vi } from "vitest";
import { askPerson } from "./ask-form.js";
import { chooseByAnswer } from "./permission-options.js";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
] as const;

function asking() {
  const withdrawal = new AbortController();
  const input = new PassThrough();
  const output = new PassThrough();
  const interrupt = vi.fn(() => withdrawal.abort());
  const choice = askPerson(options, { input, output, signal: withdrawal.signal, interrupt });
  return { input, output, choice, interrupt, withdrawal };
}

it("takes a number", async () => {
  const { input, choice } = asking();
  input.write("2\r");
  expect(await choice).toEqual({ outcome: "selected", optionId: "no" });
});

it("asks again until the answer fits", async () => {
  const { input, output, choice } = asking();
  input.write("perhaps\r\r7\ry\r");
  expect(await choice).toEqual({ outcome: "selected", optionId: "yes" });
  output.end();
  expect((await text(output)).split("Your choice").length - 1).toBeGreaterThanOrEqual(4);
});

it("chooses nothing when the input ends", async () => {
  const { input, choice } = asking();
  input.end();
  expect(await choice).toEqual({ outcome: "cancelled" });
});

it("chooses nothing when the input has ended before", async () => {
  const input = new PassThrough();
  input.end();
  await text(input);
  const { signal } = new AbortController();
  const choice = askPerson(options, { input, output: new PassThrough(), signal, interrupt: () => {} });
  expect(await choice).toEqual({ outcome: "cancelled" });
});

it("chooses nothing on Ctrl-D", async () => {
  const { input, choice } = asking();
  input.write("\u0004");
  expect(await choice).toEqual({ outcome: "cancelled" });
});

it("hands Ctrl-C on, whose cancel withdraws the question", async () => {
  const { input, choice, interrupt } = asking();
  input.write("\u0003");
  expect(await choice).toEqual({ outcome: "cancelled" });
  expect(interrupt).toHaveBeenCalledTimes(1);
});

it("chooses nothing when the question was withdrawn before it could be asked", async () => {
  const withdrawal = new AbortController();
  withdrawal.abort();
  const streams = { input: new PassThrough(), output: new PassThrough() };
  expect(await askPerson(options, { ...streams, signal: withdrawal.signal, interrupt() {} })).toEqual({
    outcome: "cancelled",
  });
});

const always = { optionId: "aa", name: "Allow always", kind: "allow_always" } as const;
const once = { optionId: "ao", name: "Allow", kind: "allow_once" } as const;
const reject = { optionId: "ro", name: "Reject", kind: "reject_once" } as const;
const never = { optionId: "ra", name: "Never ask again", kind: "reject_always" } as const;
const all: readonly PermissionOption[] = [always, once, reject, never];

describe("defect S11: a typed answer", () => {
  it.each([
    ["1", { outcome: "selected", optionId: "aa" }],
    [" 3 ", { outcome: "selected", optionId: "ro" }],
    ["0", { outcome: "cancelled" }],
    ["y", { outcome: "selected", optionId: "ao" }],
    ["A", { outcome: "selected", optionId: "aa" }],
    ["no", { outcome: "selected", optionId: "ro" }],
    ["c", { outcome: "cancelled" }],
    ["cancel", { outcome: "cancelled" }],
  ])("%j chooses by number or kind", (answer, choice) => {
    expect(chooseByAnswer(answer, all)).toEqual(choice);
  });

  it.each(["", "  ", "allow", "never", "5", "99999999999999999999", "-1", "1.5", "x"])("%j does not", (answer) => {
    expect(chooseByAnswer(answer, all)).toBeUndefined();
  });

  const option = (name: string, kind: PermissionOption["kind"], optionId = name) => ({ name, kind, optionId });
  it.each([
    ["no", [option("Not now, but later: proceed", "allow_once")], "cancelled"],
    ["cancel", [option("Cancel nothing", "allow_always")], "cancelled"],
    ["n", [option("n", "allow_once"), option("Yes", "reject_once")], "Yes"],
    ["y", [option("y", "allow_always"), option("Once", "allow_once")], "Once"],
    ["no", [option("Allow", "allow_always", "x"), option("No", "reject_once", "x")], "cancelled"],
    ["0", [option("0", "allow_once")], "cancelled"],
    ["2", [option("Allow", "allow_once", "x"), option("No", "reject_once", "x")], "cancelled"],
    ["1", [option("Allow", "allow_once", "x"), option("No", "reject_once", "x")], undefined],
    ["2", [option("Allow", "allow_once", "x"), option("Allow", "allow_once", "x")], undefined],
  ] as const)("%j of %j is %s", (answer, options, chosen) => {
    const decision = chooseByAnswer(answer, options);
    expect(decision?.outcome === "selected" ? decision.optionId : decision?.outcome).toBe(chosen);
  });
});
