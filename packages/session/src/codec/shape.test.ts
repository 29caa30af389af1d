import { describe, expect, it } from "vitest";
import { number, text } from "./read.js";
import { integer, listOf, record, tagged } from "./shape.js";

describe("a record", () => {
  const read = record({
    required: { id: text },
    optional: { title: text, size: integer(0) },
    nullable: { note: text },
    strict: { cwd: text },
    olderNames: { id: "older" },
  });

  it.each([
    ["has what it needs, under its newer name", { older: "a" }, { id: "a" }],
    ["takes the newer name where both are there", { id: "a", older: "b" }, { id: "a", older: "b" }],
    ["does without what it needs not at all", { title: "t" }, undefined],
    ["leaves out what does not read", { id: "a", title: 1, note: 1, size: -1, _meta: [] }, { id: "a" }],
    [
      "keeps null, where nothing was needed",
      { id: "a", title: null, note: null },
      { id: "a", title: null, note: null },
    ],
    ["may lack a member that must not be malformed", { id: "a", cwd: null }, { id: "a", cwd: null }],
    ["does not read with that member malformed", { id: "a", cwd: 1 }, undefined],
    ["keeps what nobody here knows", { id: "a", later: { x: 1 } }, { id: "a", later: { x: 1 } }],
    ["is an object", ["a"], undefined],
  ])("%s", (_, wire, known) => {
    expect(read(wire)).toEqual(known);
  });

  it("is the very object that came, unless something had to change", () => {
    const wire = { id: "a", title: "t", later: 1 };
    expect(read(wire)).toBe(wire);
    const items = [wire, { id: "b" }];
    expect(listOf(read)(items)).toBe(items);
    const broken = { id: "a", size: "big" };
    expect(read(broken)).toEqual({ id: "a" });
    expect(broken).toEqual({ id: "a", size: "big" });
  });
});

it("a record may be of something else than texts", () => {
  const read = record({ required: { width: number, height: number }, optional: { depth: number } });
  expect(read({ width: 1, height: 2, depth: "3" })).toEqual({ width: 1, height: 2 });
  expect(read({ width: "1", height: 2 })).toBeUndefined();
});

it("one of several kinds reads by its own shape, another kind stays as it came", () => {
  const read = tagged({ file: record({ required: { uri: text } }) });
  expect(read({ type: "file" })).toBeUndefined();
  expect(read({ type: "toString", uri: 1 })).toEqual({ type: "toString", uri: 1 });
  expect(read({ uri: "u" })).toBeUndefined();
});
