import { describe, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { configOptionUpdate, sessionConfigOption } from "./index.js";

describe("config options (V2-CFG-01)", () => {
  const plain = { value: "a", name: "A" };
  const group = { groupId: "g", name: "G", options: [plain] };
  const select = { type: "select", configId: "o", name: "O", currentValue: "a", options: [plain] };
  const onOff = { type: "boolean", configId: "b", name: "B", currentValue: false };
  const slider = { type: "slider", configId: "s", name: "S", currentValue: 5 };

  it.each<Case>([
    ["a select", sessionConfigOption, select, fine],
    [
      "with descriptions",
      sessionConfigOption,
      { ...select, description: "d", options: [{ ...plain, description: "d" }] },
      fine,
    ],
    ["with a category", sessionConfigOption, { ...select, category: "model" }, fine],
    ["with groups", sessionConfigOption, { ...select, options: [group, { ...group, groupId: "h" }] }, fine],
    ["with nothing to choose", sessionConfigOption, { ...select, options: [] }, { refused: ["options"] }],
    [
      "with a value that is no string",
      sessionConfigOption,
      { ...select, currentValue: 5 },
      { refused: ["currentValue"] },
    ],
    ["on or off", sessionConfigOption, onOff, fine],
    ["on or off by a word", sessionConfigOption, { ...onOff, currentValue: "off" }, { refused: ["currentValue"] }],
    ["without an id", sessionConfigOption, { ...onOff, configId: undefined }, { refused: ["configId"] }],
    ["of a type that nobody here knows", sessionConfigOption, slider, { kept: ["type"] }],
    ["of such a type, without a name", sessionConfigOption, { ...slider, name: undefined }, { refused: ["name"] }],
    [
      "with groups under version 1's name for their id",
      configOptionUpdate,
      { configOptions: [{ ...select, options: [{ ...group, groupId: undefined, group: "g" }] }] },
      { salvaged: ["configOptions.0"], as: { configOptions: [] } },
    ],
    [
      "an unknown, an empty and a mixed one beside a good one",
      configOptionUpdate,
      { configOptions: [slider, { ...select, options: [] }, { ...select, options: [plain, group] }, onOff] },
      {
        salvaged: ["configOptions.1", "configOptions.2"],
        kept: ["configOptions.0.type"],
        as: { configOptions: [slider, onOff] },
      },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
