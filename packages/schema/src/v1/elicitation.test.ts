import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import {
  type CreateElicitationRequest,
  createElicitationRequest,
  createElicitationResponse,
  elicitationSchema,
  enumOption,
  multiSelectItems,
} from "./index.js";

const form = (properties: object, more: object = {}) => ({
  sessionId: "s",
  mode: "form",
  message: "m",
  requestedSchema: { type: "object", properties, ...more },
});
const valid = (request: unknown) => parse(createElicitationRequest, request).issues === undefined;

describe("elicitation/create", () => {
  it("needs a session or a request as its scope (V1-ELIC-03, V1-ELIC-04)", () => {
    const url = { mode: "url", message: "m", elicitationId: "e", url: "https://x.test" };
    expect(valid({ ...url, sessionId: "s" })).toBe(true);
    for (const requestId of [0, "", null, "a"]) expect(valid({ ...url, requestId })).toBe(true);
    expect(valid({ ...url, sessionId: "s", requestId: 1 })).toBe(true);
    expect(valid(url)).toBe(false);
    expect(valid({ ...url, requestId: 1.5 })).toBe(false);
  });

  it("keeps an unknown mode, but it too needs a message and a scope (V1-ELIC-08)", () => {
    const voice = { mode: "voice", message: "m", sessionId: "s", language: "en" };
    expect(parse(createElicitationRequest, voice)).toMatchObject({ value: voice, unrecognized: [{ path: ["mode"] }] });
    expect(valid({ ...voice, message: 5 })).toBe(false);
    expect(valid({ mode: "voice", message: "m" })).toBe(false);
    expect(valid({ message: "m", sessionId: "s" })).toBe(false);
  });

  it("a malformed constraint makes the request invalid (V1-ELIC-06)", () => {
    expect(valid(form({ a: { type: "string", minLength: "1" } }))).toBe(false);
    expect(valid(form({ a: { type: "integer", minimum: 1.5 } }))).toBe(false);
    expect(valid(form({ a: { type: "array" } }))).toBe(false);
    expect(valid(form({ a: { type: "array", items: { type: "string", enum: [1] } } }))).toBe(false);
    expect(valid({ ...form({}), requestedSchema: { properties: null } })).toBe(false);
    expect(valid(form({}, { required: [1] }))).toBe(false);
  });

  it("a malformed title, description or default does not (V1-ELIC-06)", () => {
    const request = form({ a: { type: "string", title: 5, description: {}, default: 5 } }, { title: 5, type: "list" });
    expect(parse(createElicitationRequest, request)).toMatchObject({
      value: { requestedSchema: { properties: { a: { type: "string" } } } },
    });
    const read = parse(
      createElicitationRequest,
      form({ a: { type: "array", items: { anyOf: [] }, default: ["x", 1] } }),
    );
    expect(read).toMatchObject({ value: { requestedSchema: { properties: { a: { default: ["x"] } } } } });
  });

  it("keeps unknown property types, item types and formats (V1-ELIC-08, V1-ELIC-09)", () => {
    const request = form({
      a: { type: "colour", palette: [1] },
      b: { type: "array", items: { type: "number", enum: [1] } },
      c: { type: "string", format: "phone" },
    });
    const read = parse(createElicitationRequest, request);
    expect("value" in read && read.value).toBe(request);
    expect("unrecognized" in read && read.unrecognized?.map((note) => note.path.at(-1))).toEqual([
      "type",
      "type",
      "format",
    ]);
  });

  it("can be written as an ordinary literal", () => {
    const request: CreateElicitationRequest = {
      mode: "form",
      sessionId: "s",
      message: "m",
      requestedSchema: {
        type: "object",
        properties: {
          tags: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
          on: { type: "boolean" },
        },
      },
    };
    expect(parse(createElicitationRequest, request)).toEqual({ value: request });
  });
});

describe("the answer to an elicitation (V1-ELIC-12)", () => {
  it("takes content of every kind, and is strict about it", () => {
    const content = { a: "x", b: 1, c: 1.5, d: true, e: ["x"] };
    expect(parse(createElicitationResponse, { action: "accept", content }).issues).toBeUndefined();
    expect(parse(createElicitationResponse, { action: "accept", content: null }).issues).toBeUndefined();
    expect(parse(createElicitationResponse, { action: "accept", content: { a: {} } }).issues).toHaveLength(1);
    expect(parse(createElicitationResponse, { action: "accept", content: { a: [1] } }).issues).toHaveLength(1);
  });

  it("keeps an unknown action (V1-ELIC-14)", () => {
    expect(parse(createElicitationResponse, { action: "postpone" })).toMatchObject({
      unrecognized: [{ path: ["action"] }],
    });
  });
});

describe("the shape of a question", () => {
  const url = { sessionId: "s", mode: "url", message: "m", elicitationId: "e", url: "https://a.test" };
  const empty = { type: "object", properties: {} };
  const choice = { const: "a", title: "A" };

  it.each<Case>([
    ["V1-ELIC-02 a form", createElicitationRequest, form({}), fine],
    ["V1-ELIC-02 no mode", createElicitationRequest, { ...form({}), mode: undefined }, { refused: ["mode"] }],
    ["V1-ELIC-02 null for the mode", createElicitationRequest, { ...form({}), mode: null }, { refused: ["mode"] }],
    ["V1-ELIC-02 no message", createElicitationRequest, { ...form({}), message: undefined }, { refused: ["message"] }],
    [
      "V1-ELIC-02 a form without its payload",
      createElicitationRequest,
      { sessionId: "s", mode: "form", message: "m" },
      { refused: ["requestedSchema"] },
    ],
    ["V1-ELIC-05 a form with nothing in it", elicitationSchema, empty, fine],
    [
      "V1-ELIC-05 a form with everything",
      elicitationSchema,
      { ...empty, required: ["a"], title: "T", description: "D" },
      fine,
    ],
    ["V1-ELIC-05 nulls", elicitationSchema, { ...empty, required: null, title: null, description: null }, fine],
    ["V1-ELIC-05 neither type nor properties, as their defaults are known", elicitationSchema, {}, fine],
    [
      "V1-ELIC-05 another type",
      elicitationSchema,
      { ...empty, type: "array" },
      { salvaged: ["type"], as: { properties: {} } },
    ],
    [
      "V1-ELIC-05 null for the properties",
      elicitationSchema,
      { type: "object", properties: null },
      { refused: ["properties"] },
    ],
    ["V1-ELIC-05 names that are none", elicitationSchema, { ...empty, required: "a" }, { refused: ["required"] }],
    [
      "V1-ELIC-05 a title that is none",
      elicitationSchema,
      { ...empty, title: 5, description: 5 },
      { salvaged: ["title", "description"], as: empty },
    ],
    ["V1-ELIC-07 an option", enumOption, choice, fine],
    [
      "V1-ELIC-07 an option with a bad description",
      enumOption,
      { ...choice, description: 5 },
      { salvaged: ["description"], as: choice },
    ],
    ["V1-ELIC-07 an option without a title", enumOption, { const: "a" }, { refused: ["title"] }],
    ["V1-ELIC-07 an option without a value", enumOption, { title: "A" }, { refused: ["const"] }],
    ["V1-ELIC-07 plain values", multiSelectItems, { type: "string", enum: ["a"] }, fine],
    ["V1-ELIC-07 titled values, which have no type", multiSelectItems, { anyOf: [choice] }, fine],
    ["V1-ELIC-07 values of both kinds", multiSelectItems, { type: "string", anyOf: [choice] }, { refused: ["enum"] }],
    ["V1-ELIC-07 names apart from values", multiSelectItems, { enum: ["a"], enumNames: ["A"] }, { refused: ["anyOf"] }],
    ["V1-ELIC-11 an address", createElicitationRequest, url, fine],
    [
      "V1-ELIC-11 no id",
      createElicitationRequest,
      { ...url, elicitationId: undefined },
      { refused: ["elicitationId"] },
    ],
    ["V1-ELIC-11 no address", createElicitationRequest, { ...url, url: undefined }, { refused: ["url"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));
});

it("a form that nests, has conditions or parallel names cannot be written (V1-ELIC-07)", () => {
  const base = { mode: "form", sessionId: "s", message: "m" } as const;
  const properties = { a: { type: "string" } } as const;
  const written: CreateElicitationRequest[] = [
    // @ts-expect-error no object in an object
    { ...base, requestedSchema: { type: "object", properties: { a: { type: "object", properties } } } },
    // @ts-expect-error no parallel list of names
    { ...base, requestedSchema: { type: "object", properties: { a: { type: "string", enumNames: ["A"] } } } },
    // @ts-expect-error no conditions
    { ...base, requestedSchema: { type: "object", properties, if: {} } },
    // @ts-expect-error no dialect
    { ...base, requestedSchema: { type: "object", properties, $schema: "x" } },
  ];
  // Where an object came nonetheless, nobody takes it for a field that is known.
  expectOutcome(createElicitationRequest, written[0], { kept: ["requestedSchema.properties.a.type"] });
});
