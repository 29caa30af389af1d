import { describe, expect, it } from "vitest";
import { exactlyOne, type Infer, object, parse, string } from "./index.js";

const scope = exactlyOne({ session: object({ session: string() }), request: object({ request: string() }) });

describe("exactlyOne", () => {
  it("reads by the member that is there", () => {
    const value = { session: "s", other: 1 };
    const read = parse(scope, value);
    expect("value" in read && read.value).toBe(value);
    expect(parse(scope, { request: 5 }).issues).toEqual([
      { path: ["request"], message: "expected a string, got a number" },
    ]);
  });

  it("refuses none and several, also when one of them is malformed", () => {
    expect(parse(scope, {}).issues).toEqual([
      { path: [], message: "expected exactly one of session and request, got none" },
    ]);
    for (const request of ["r", null, 5]) expect(parse(scope, { session: "s", request }).issues).toHaveLength(1);
    expect(parse(scope, []).issues).toHaveLength(1);
  });

  it("has a type that does not let both be written", () => {
    type Scope = Infer<typeof scope>;
    const one: Scope = { session: "s" };
    // @ts-expect-error one or the other
    const both: Scope = { session: "s", request: "r" };
    expect([one, both]).toHaveLength(2);
  });
});
