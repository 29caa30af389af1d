import type { Session } from "@turnkit/client";
import type { ConfigOption } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { readSetting, type SettingWish } from "../invocation.js";
import { applySettings } from "./apply-settings.js";

const choice = (value: string, name = value) => ({ value, name });
const models: ConfigOption = {
  ...{ configId: "llm", name: "Model", type: "select", category: "model", currentValue: "sonnet-4" },
  options: [
    { groupId: "a", name: "A", options: [choice("sonnet-4", "Claude Sonnet"), choice("opus-4", "Claude Opus")] },
    { groupId: "b", name: "B", options: [choice("mini", "Small")] },
  ],
};
const modes: ConfigOption = {
  ...{ configId: "mode", name: "Mode", type: "select", category: "mode", currentValue: "ask" },
  options: [choice("ask"), choice("plan", "Plan first")],
};
const fast: ConfigOption = { configId: "fast", name: "Fast answers", type: "boolean", currentValue: false };
const strange = { configId: "odd", name: "Odd", type: "_dial" } as unknown as ConfigOption;

const model = (value: string): SettingWish => ({ by: "--model", option: "model", value });
const mode = (value: string): SettingWish => ({ by: "--mode", option: "mode", value });

/** Applies settings. Returns what was set. */
async function apply(wishes: readonly SettingWish[], options: ConfigOption[] | null = [models, modes, fast, strange]) {
  const set: unknown[] = [];
  const session = {
    state: { configOptions: options ?? undefined },
    async setConfigOption(id: string, value: unknown) {
      if (value === "mini") throw RpcError.invalidParams("no quota");
      set.push([id, value]);
    },
  } as unknown as Session;
  await applySettings(session, wishes, "tester");
  return set;
}

describe("defect P7: --model, --mode and --set", () => {
  it.each<[string, SettingWish, unknown[]]>([
    ["an id", model("opus-4"), [["llm", "opus-4"]]],
    ["a name in other case", model("claude OPUS"), [["llm", "opus-4"]]],
    ["a part of a model", model("opus"), [["llm", "opus-4"]]],
    ["the current value", model("sonnet-4"), []],
    ["a mode", mode("Plan First"), [["mode", "plan"]]],
    ["an option by id", readSetting("llm=opus-4"), [["llm", "opus-4"]]],
    ["an option by name", readSetting("fast answers=on"), [["fast", true]]],
    ["a boolean", readSetting("fast=TRUE"), [["fast", true]]],
  ])("%s is set", async (_, wish, set) => {
    expect(await apply([wish])).toEqual(set);
  });

  it("are set in order", async () => {
    expect(await apply([model("opus"), mode("plan"), readSetting("fast=yes")])).toEqual([
      ...[
        ["llm", "opus-4"],
        ["mode", "plan"],
        ["fast", true],
      ],
    ]);
  });

  it.each<[string, SettingWish, string]>([
    [
      "a model that is not offered",
      model("gpt"),
      '--model: tester does not offer "gpt" for model. It offers: sonnet-4 (Claude Sonnet), opus-4 (Claude Opus), mini (Small).',
    ],
    [
      "a part that fits several models",
      model("claude"),
      '--model: several values contain "claude" for model. It offers: sonnet-4 (Claude Sonnet), opus-4 (Claude Opus).',
    ],
    [
      "a part of a mode",
      mode("pla"),
      '--mode: tester does not offer "pla" for mode. It offers: ask, plan (Plan first).',
    ],
    [
      "an unknown option",
      readSetting("depth=9"),
      '--set: tester offers no option "depth". Its options: llm (Model), mode, fast (Fast answers), odd.',
    ],
    [
      "a boolean with another value",
      readSetting("fast=constructor"),
      '--set: fast is true or false, not "constructor".',
    ],
    ["an option of an unknown type", readSetting("odd=1"), "--set: turnkit does not know the type of the option odd."],
  ])("%s is refused with what is offered", async (_, wish, message) => {
    await expect(apply([wish])).rejects.toThrow(new UsageError(message));
  });

  it("an agent without options says so, and a long list has a bound", async () => {
    await expect(apply([model("x")], null)).rejects.toThrow(
      "--model: tester offers no choice of a model. Its options: none.",
    );
    const options = Array.from({ length: 200 }, (_, index) => choice(`m${index}`));
    const many = { ...models, options } as ConfigOption;
    await expect(apply([model("gpt")], [many])).rejects.toThrow(/m29, … 170 more\.$/);
  });

  it("a refusal of the agent names the option", async () => {
    await expect(apply([model("mini")])).rejects.toThrow(/^--model: tester refused model=mini: .*no quota/);
  });
});
