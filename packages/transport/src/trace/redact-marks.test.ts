import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forms } from "./redact-forms.js";
import { Marks } from "./redact-marks.js";
import { REDACTED } from "./redact-values.js";

/** Returns the index of the end of the group, class or escape that starts at `at`, or of the next character. */
function endOf(source: string, at: number): number {
  if (source[at] === "\\") return at + 2;
  const close = { "(": ")", "[": "]" }[source[at] as string];
  let end = at + 1;
  if (close === undefined) return end;
  while (source[end] !== close) end = close === "]" && source[end] !== "\\" ? end + 1 : endOf(source, end);
  return end + 1;
}

/** Returns an expression without conditions about the text around it. The text of a lookbehind becomes a part. */
function withoutConditions(source: string): string {
  let parts = "";
  for (let at = 0; at < source.length; ) {
    const end = endOf(source, at);
    const [, kind = "", inside = ""] = /^\((\?:|\?<?[=!]|)(.*)\)$/s.exec(source.slice(at, end)) ?? [];
    if (kind === "?<=" || (source[at] === "(" && (kind === "" || kind === "?:")))
      parts += `(?:${withoutConditions(inside)})`;
    else if (kind === "" && source.slice(at, end) !== "\\b") parts += source.slice(at, end);
    at = end;
  }
  return parts;
}

const textOf = (find: RegExp) => fc.stringMatching(new RegExp(`^(?:${withoutConditions(find.source)})$`));

describe("marks of the forms", () => {
  const marked = new Marks(forms);

  test.each(forms.map((form) => [form.find.source, form] as const))(
    "defect S14: every match has one: %s",
    (_, form) => {
      const program = form.program === undefined ? fc.constant("") : textOf(form.program);
      const matching = fc.tuple(program, textOf(form.find)).map(([before, match]) => `${before} ${match}aaa`);
      fc.assert(
        fc.property(matching, (text) => marked.in(text).includes(form)),
        { numRuns: 1000 },
      );
    },
  );

  test("defect S7: an ordinary text has few, so that few forms are searched", () => {
    const text = "The quick brown fox jumps over the lazy dog, and returns at 11:14 with { a: 1, b: [2, 3] }.\n";
    expect(marked.in(text).length).toBeLessThan(forms.length / 8);
    expect(marked.in(REDACTED)).toEqual(forms.filter(({ marks }) => marks === ""));
  });
});

describe("Marks", () => {
  const rows = [{ marks: "b-c xyz" }, { marks: "" }, { marks: "b-c" }, { marks: "0:" }, { marks: '"d"' }];
  const found = (text: string) => new Marks(rows).in(text).map((row) => rows.indexOf(row));

  test.each([
    ["", [1]],
    ["b-", [1]],
    ["ab-cd", [0, 1, 2]],
    ["AB-CD", [0, 1, 2]],
    ["wxyz", [0, 1]],
    ["7:a", [1, 3]],
    ["a7:", [1]],
    ["'d`", [1, 4]],
  ])("finds the rows of %j, in their order", (text, expected) => {
    expect(found(text)).toEqual(expected);
    expect(found(`${text} ${text}`)).toEqual(expect.arrayContaining(expected));
  });

  test("forgets the text before", () => {
    const table = new Marks(rows);
    expect([table.in("b-c").length, table.in("a").length, table.in("b-c").length]).toEqual([3, 1, 3]);
  });
});
