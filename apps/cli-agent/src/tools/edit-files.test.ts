import { describe, expect, it } from "vitest";
import { applyEdits } from "./edit-files.js";

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

  it("finds lines of a CRLF text that were written with LF, and leaves the text one of CRLF", () => {
    const edits = [
      { oldText: "one\ntwo\n", newText: "1\n2\n3\n" },
      { oldText: "four", newText: "4\n5" },
    ];
    expect(applyEdits("one\r\ntwo\r\nfour\r\n", edits)).toBe("1\r\n2\r\n3\r\n4\r\n5\r\n");
  });

  it("changes line ends where an edit says so, and leaves those of a text alone that has both", () => {
    expect(applyEdits("a\r\nb\r\n", [{ oldText: "a\r\nb\r\n", newText: "a\nb\n" }])).toBe("a\nb\n");
    expect(applyEdits("a\r\nb\n", [{ oldText: "b\n", newText: "c\nd\n" }])).toBe("a\r\nc\nd\n");
    expect(() => applyEdits("a\r\nb\n", [{ oldText: "a\nb", newText: "" }])).toThrow(/does not contain/);
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

  it("finds a place in a repetitive text, and refuses more edits than can be searched for", () => {
    const line = "a".repeat(100);
    expect(applyEdits(`${line}b${line}`, [{ oldText: `b${line}`, newText: "" }])).toBe(line);
    expect(applyEdits(`${line}b${line}`, [{ oldText: `${line}b`, newText: "" }])).toBe(line);
    expect(() => applyEdits(`${line}a`, [{ oldText: line, newText: "" }])).toThrow(/more than once/);
    const many = Array.from({ length: 40 }, (_, at) => ({ oldText: `<${at}>`, newText: "" }));
    const text = many.map(({ oldText }) => oldText).join("");
    expect(applyEdits(text, many)).toBe("");
    expect(() => applyEdits(text + " ".repeat(1_000_000), many)).toThrow(/40 edits are too many/);
  });
});
