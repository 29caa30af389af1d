import { describe, expect, it } from "vitest";
import type { ElicitationForm } from "../elicitation.js";
import { checkFormAnswer, formDefaults } from "./form-answer.js";

const form = (properties: object, required?: readonly string[]) =>
  ({ type: "object", properties, ...(required && { required }) }) as ElicitationForm;
const faults = (field: object, value: unknown) =>
  checkFormAnswer(form({ it: field }), { it: value }).map(({ path, message }) => `${path.join(".")}: ${message}`);

describe("an answer is checked field by field (V1-ELIC-13, V2-ELI-06)", () => {
  const titled = [{ const: "a", title: "A" }];
  it.each([
    [{ type: "string" }, "x", 1],
    [{ type: "string", minLength: 2 }, "🚀🚀", "🚀"],
    [{ type: "string", maxLength: 2 }, "🚀🚀", "abc"],
    [{ type: "string", enum: ["a", "b"] }, "b", "c"],
    [{ type: "string", oneOf: titled }, "a", "A"],
    [{ type: "string", pattern: "^a+$" }, "aa", "ab"],
    [{ type: "string", format: "email" }, "ada@example.org", "ada"],
    [{ type: "string", format: "uri" }, "https://example.org/x", "example.org"],
    [{ type: "string", format: "date" }, "2024-02-29", "2026-02-29"],
    [{ type: "string", format: "date-time" }, "2026-11-21T07:00:00.5+01:00", "2026-11-21 07:00"],
    [{ type: "number", minimum: 1, maximum: 2 }, 1, 0.9],
    [{ type: "number", minimum: 1, maximum: 2 }, 2, 2.1],
    [{ type: "number" }, 0.5, Number.NaN],
    [{ type: "integer" }, 3, 3.5],
    [{ type: "integer", minimum: 0 }, 0, -1],
    [{ type: "boolean" }, false, "false"],
    [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, ["a", "b"], ["c"]],
    [{ type: "array", items: { anyOf: titled } }, ["a"], ["b"]],
    [{ type: "array", items: { type: "string", enum: ["a"] }, minItems: 1 }, ["a"], []],
    [{ type: "array", items: { type: "string", enum: ["a"] }, maxItems: 0 }, [], ["a"]],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, [], "a"],
  ])("V1-ELIC-13: %j takes %j and not %j", (field, good, bad) => {
    expect(faults(field, good)).toEqual([]);
    expect(faults(field, bad)).toEqual([expect.stringMatching(/^it: expected /)]);
  });

  it("V1-ELIC-13: what is required has to be there, the rest may be missing", () => {
    const two = form({ a: { type: "string" }, b: { type: "string" } }, ["a", "toString"]);
    expect(checkFormAnswer(two, {}).map(({ path }) => path)).toEqual([["a"], ["toString"]]);
    expect(checkFormAnswer(two, { a: "", toString: "" })).toEqual([]);
  });

  it.each([
    ["a field of an unknown type", { type: "colour" }, 5],
    ["an unknown format", { type: "string", format: "phone" }, "x"],
    ["items of an unknown type", { type: "array", items: { type: "colour" } }, ["x"]],
    ["a pattern that cannot be run", { type: "string", pattern: "(?=a)" }, "x"],
  ])("%s says nothing of the answer (V1-ELIC-09, V2-ELI-04)", (_, field, value) => {
    expect(faults(field, value)).toEqual([]);
  });
});

it("declared defaults are what a form begins with (V1-ELIC-13, V2-ELI-06)", () => {
  const fields = {
    name: { type: "string", default: "Ada" },
    age: { type: "integer", default: 0 },
    sure: { type: "boolean", default: false },
    tags: { type: "array", items: { type: "string", enum: ["x"] }, default: ["x"] },
    none: { type: "string", default: null },
    other: { type: "string" },
  };
  expect(formDefaults(form(fields))).toEqual({ name: "Ada", age: 0, sure: false, tags: ["x"] });
});
