import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { type CreateElicitationRequest, createElicitationRequest, createElicitationResponse } from "./index.js";

const valid = (request: unknown) => parse(createElicitationRequest, request).issues === undefined;
const url = { mode: "url", message: "m", elicitationId: "e", url: "https://x.test" };

describe("elicitation/create", () => {
  it("is about a session or a request, never both (V2-ELI-02, P-ELICIT-01)", () => {
    expect(valid({ ...url, sessionId: "s", toolCallId: 5 })).toBe(true);
    for (const requestId of [0, "", "a"]) expect(valid({ ...url, requestId })).toBe(true);
    for (const requestId of [null, 1.5]) expect(valid({ ...url, requestId })).toBe(false);
    for (const requestId of [1, null, 1.5]) expect(valid({ ...url, sessionId: "s", requestId })).toBe(false);
    expect(valid(url)).toBe(false);
    expect(valid({ ...url, mode: "_voice", sessionId: "s", requestId: 1 })).toBe(false);
  });

  it("has a form with a type and fields, in which a bad constraint is an error (V2-ELI-04, V2-DEC-02)", () => {
    const form = (requestedSchema: object) => valid({ mode: "form", sessionId: "s", message: "m", requestedSchema });
    expect(form({ type: "object", properties: {} })).toBe(true);
    expect(form({ properties: {} })).toBe(false);
    expect(form({ type: "object" })).toBe(false);
    const field = (property: object) => form({ type: "object", properties: { a: property } });
    expect(field({ type: "string", format: "phone", default: 5, minLength: null })).toBe(true);
    for (const bad of [{ minLength: -1 }, { maxLength: 2 ** 32 }, { enum: [] }, { oneOf: [{ const: "a" }] }]) {
      expect(field({ type: "string", ...bad })).toBe(false);
    }
    expect(field({ type: "array", items: { type: "string", enum: [] } })).toBe(false);
    expect(field({ type: "array", items: { anyOf: [{ const: "a", title: "A" }] }, default: ["a", 1] })).toBe(true);
  });

  it("is answered with any JSON, since fields may be of unknown types (V2-ELI-05)", () => {
    expect(valid({ ...url, sessionId: "s" })).toBe(true);
    const content = { a: "x", b: 1.5, c: ["x"], d: { e: null }, f: null };
    expect(parse(createElicitationResponse, { action: "accept", content })).toEqual({
      value: { action: "accept", content },
    });
    expect(parse(createElicitationResponse, { action: "accept", content: ["x"] }).issues).toHaveLength(1);
    expect(parse(createElicitationResponse, { action: "decline", content: 5 }).issues).toBeUndefined();
  });

  it("can be written for one scope only", () => {
    const request: CreateElicitationRequest = { ...url, mode: "url", sessionId: "s" };
    // @ts-expect-error two scopes
    const both: CreateElicitationRequest = { ...url, mode: "url", sessionId: "s", requestId: 1 };
    expect([valid(request), valid(both)]).toEqual([true, false]);
  });
});
