import { describe, expect, it } from "vitest";
import { applyEdits } from "./apply-edits.js";

describe("editing a text", () => {
  it("replaces several places at once, whatever their order", () => {
    const edits = [
      { oldText: "c", newText: "C" },
      { oldText: "a", newText: "AA" },
    ];
    expect(applyEdits("a b c", edits)).toBe("AA b C");
  });

  it("looks every place up in the text as it was", () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    expect(applyEdits("one two", edits)).toBe("two three");
  });

  it("fills an empty file", () => {
    expect(applyEdits("", [{ oldText: "", newText: "x" }])).toBe("x");
  });

  it("takes new text literally", () => {
    expect(applyEdits("price", [{ oldText: "price", newText: "$& $1" }])).toBe("$& $1");
  });

  it.each([
    ["a place that is not there", "abc", [{ oldText: "x", newText: "" }], /does not contain "x"/],
    ["a place that is there twice", "aba", [{ oldText: "a", newText: "" }], /more than once/],
    ["a place that overlaps itself", "aaa", [{ oldText: "aa", newText: "" }], /more than once/],
    ["nothing at all", "abc", [{ oldText: "", newText: "x" }], /is empty/],
    [
      "two places that overlap",
      "abc",
      [
        { oldText: "ab", newText: "" },
        { oldText: "bc", newText: "" },
      ],
      /overlap/,
    ],
  ])("refuses %s", (_title, text, edits, reason) => {
    expect(() => applyEdits(text, edits)).toThrow(reason);
  });
});
