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

  it("defect P13: replaces every place with replaceAll, also of a repetitive text", () => {
    expect(applyEdits("a b a b", [{ oldText: "a", newText: "aa", replaceAll: true }])).toBe("aa b aa b");
    const long = "ab".repeat(20);
    expect(applyEdits(`${long}${long}x${long}`, [{ oldText: long, newText: "c", replaceAll: true }])).toBe("ccxc");
    const edits = [
      { oldText: "a\nb", newText: "c\nd", replaceAll: true },
      { oldText: "e", newText: "E" },
    ];
    expect(applyEdits("a\r\nb\r\ne\r\na\r\nb\r\n", edits)).toBe("c\r\nd\r\nE\r\nc\r\nd\r\n");
    expect(() => applyEdits("x".repeat(20_000), [{ oldText: "x", newText: "y", replaceAll: true }])).toThrow(
      /more than 10000/,
    );
    expect(() => applyEdits("abc", [{ oldText: "x", newText: "y", replaceAll: true }])).toThrow(/does not contain/);
  });

  it("names the lines of a text that occurs more than once", () => {
    expect(() => applyEdits("a\nb\na\n", [{ oldText: "a", newText: "" }])).toThrow(
      'The file contains "a" more than once (lines 1, 3): add the lines around it, or set replaceAll.',
    );
  });
});

describe("defect P13: an edit that does not match", () => {
  const file = [
    "export function average(numbers) {",
    "  const sum = numbers.reduce((total, number) => total + number, 0);",
    "  return sum / (numbers.length + 1);",
    "}",
    "",
    "export function median(numbers) {",
    "  const sorted = [...numbers].sort();",
    "  return sorted[sorted.length / 2];",
    "}",
    "",
  ].join("\n");
  const failure = (oldText: string, text = file): string => {
    try {
      return applyEdits(text, [{ oldText, newText: "" }]);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    [
      "white space",
      "\tconst sum = numbers.reduce((total, number) => total + number, 0);\n\treturn sum / (numbers.length + 1);",
      "The closest place is lines 2 to 3, which differ only in white space:\n2\t  const sum",
    ],
    [
      "one line of several",
      "  const sorted = [...numbers].sort();\n  return sorted[0];",
      "The closest place is lines 7 to 8:\n7\t",
    ],
    [
      "a word",
      "  return total / (numbers.length + 1);",
      "The closest place is line 3:\n3\t  return sum / (numbers.length + 1);",
    ],
    [
      "the first lines",
      'import x from "x";\nexport function average(numbers) {',
      "The closest place is line 1:\n1\texport",
    ],
  ])("shows the closest lines: %s", (_, oldText, expected) => {
    expect(failure(oldText)).toContain(expected);
  });

  it("shows nothing where nothing is similar, and not too much where much is", () => {
    expect(failure("completely different")).toBe('The file does not contain "completely different".');
    expect(failure("\n \n")).not.toContain("closest");
    const long = Array.from({ length: 500 }, (_, at) => `line ${at} ${"x".repeat(1_000)}`).join("\n");
    const message = failure(`${long.replace("line 3 ", "line three ")}`, long);
    expect(message).toContain("[and 170 more lines]");
    expect(message.length).toBeLessThan(8_000);
  });

  it("takes time for the sum of both lengths", () => {
    const text = `${"a".repeat(99)}\n`.repeat(10_000);
    const start = performance.now();
    failure(`${"a".repeat(98)}\n`.repeat(10_000), text);
    failure(`${text.slice(100)}b`, text);
    failure(`x${"ab".repeat(200)}`, "abab\n".repeat(200_000));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
