import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { type CreateElicitationRequest, createElicitationRequest, createElicitationResponse } from "./index.js";

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
