import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { type AvailableCommand, availableCommandsUpdate } from "./index.js";

const read = (...availableCommands: unknown[]) => parse(availableCommandsUpdate, { availableCommands });

describe("commands", () => {
  it("takes a command without a type for a `command`, and its input for `text`", () => {
    expect(read({ name: "a", description: "A", input: { hint: "h" } })).toMatchObject({
      value: {
        availableCommands: [{ type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } }],
      },
      salvaged: [{ path: ["availableCommands", 0, "type"] }, { path: ["availableCommands", 0, "input", "type"] }],
    });
  });

  it("keeps commands of other types, if they have a name and a description (V2-CMD-02)", () => {
    const skill = { type: "skill", name: "a", description: "A", level: 3 };
    expect(read(skill)).toMatchObject({ value: { availableCommands: [skill] }, unrecognized: [{}] });
    expect(read({ type: "_skill", name: "a" }, { ...skill, type: 5 })).toMatchObject({
      value: { availableCommands: [] },
      salvaged: [{ path: ["availableCommands", 0] }, { path: ["availableCommands", 1] }],
    });
  });

  it("shows a command without input when its input is malformed, and keeps unknown input (V2-CMD-01)", () => {
    const command = { type: "command", name: "a", description: "A" };
    expect(read({ ...command, input: 5 })).toMatchObject({ value: { availableCommands: [command] } });
    expect(read({ ...command, input: { type: "file" } })).toMatchObject({
      value: { availableCommands: [{ input: { type: "file" } }] },
      unrecognized: [{}],
    });
  });

  it("cannot be written without a type", () => {
    const fine: AvailableCommand = { type: "command", name: "a", description: "A", input: { type: "text", hint: "h" } };
    // @ts-expect-error the type is required
    const untyped: AvailableCommand = { name: "a", description: "A" };
    expect([fine, untyped]).toHaveLength(2);
  });
});
