import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import { sessionConfigOption, setSessionConfigOptionRequest, setSessionConfigOptionResponse } from "./index.js";

const plain = { value: "a", name: "A" };
const group = { group: "g", name: "G", options: [plain] };
const select = { type: "select", id: "o", name: "O", currentValue: "a", options: [plain] };

describe("config options", () => {
  it("have plain or grouped values, never both (V1-CFG-02)", () => {
    expect(parse(sessionConfigOption, select)).toEqual({ value: select });
    expect(parse(sessionConfigOption, { ...select, options: [group] })).toEqual({
      value: { ...select, options: [group] },
    });
    expect(parse(sessionConfigOption, { ...select, options: [plain, group] }).issues?.length).toBeGreaterThan(0);
    expect(parse(sessionConfigOption, { ...select, options: [] })).toEqual({ value: { ...select, options: [] } });
  });

  it("drop bad values only inside groups", () => {
    expect(parse(sessionConfigOption, { ...select, options: [{ ...group, options: [plain, 5] }] })).toMatchObject({
      value: { options: [group] },
      salvaged: [{ path: ["options", 0, "options", 1] }],
    });
    expect(parse(sessionConfigOption, { ...select, options: [plain, 5] }).issues?.length).toBeGreaterThan(0);
  });

  it("of an unknown type vanish from their list (V1-CFG-06)", () => {
    const slider = { type: "slider", id: "s", name: "S", currentValue: 5 };
    expect(parse(setSessionConfigOptionResponse, { configOptions: [slider, select] })).toMatchObject({
      value: { configOptions: [select] },
      salvaged: [{ path: ["configOptions", 0] }],
    });
  });

  it("keep custom and unknown categories, and read other garbage there as none (V1-LEN-07, V1-CFG-13)", () => {
    expect(parse(sessionConfigOption, { ...select, category: "_mine" })).toEqual({
      value: { ...select, category: "_mine" },
    });
    expect(parse(sessionConfigOption, { ...select, category: "mood" })).toMatchObject({
      value: { category: "mood" },
      unrecognized: [{ path: ["category"] }],
    });
    expect(parse(sessionConfigOption, { ...select, category: 5 })).toMatchObject({ value: select });
  });
});

describe("session/set_config_option (V1-CFG-08)", () => {
  const target = { sessionId: "s", configId: "o" };

  it.each([{}, { type: "id" }, { type: "boolean" }, { type: "select" }, { type: 5 }])(
    "a string with %j is a value id",
    (more) => {
      const request = { ...target, value: "a", ...more };
      expect(parse(setSessionConfigOptionRequest, request)).toEqual({ value: request });
    },
  );

  it("a boolean needs `type: boolean`", () => {
    const request = { ...target, type: "boolean", value: true };
    expect(parse(setSessionConfigOptionRequest, request)).toEqual({ value: request });
    expect(parse(setSessionConfigOptionRequest, { ...target, value: true }).issues?.length).toBeGreaterThan(0);
    expect(parse(setSessionConfigOptionRequest, { ...target, type: "id", value: true }).issues?.length).toBeGreaterThan(
      0,
    );
  });
});

describe("an option that is on or off (V1-CFG-03)", () => {
  const option = { type: "boolean", id: "o", name: "O", currentValue: false };

  it.each<Case>([
    ["has a value and no list", sessionConfigOption, option, fine],
    ["needs its value", sessionConfigOption, { ...option, currentValue: undefined }, { refused: ["currentValue"] }],
    [
      "takes no word for a value",
      sessionConfigOption,
      { ...option, currentValue: "on" },
      { refused: ["currentValue"] },
    ],
    [
      "takes no null for a value",
      sessionConfigOption,
      { ...option, currentValue: null },
      { refused: ["currentValue"] },
    ],
    [
      "is not what a select is",
      sessionConfigOption,
      { ...option, type: "select" },
      { refused: ["currentValue", "options"] },
    ],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});
