import { describe, expect, it } from "vitest";
import { createPositionReader, type Finding, markFixable, parseFindings } from "./finding.js";

describe("where a finding is", () => {
  const at = (text: string, needle: string) => {
    const bytes = Buffer.from(text);
    return createPositionReader(bytes)(bytes.indexOf(needle));
  };

  it("counts lines and columns from 1", () => {
    expect(at("a\nbc!", "a")).toEqual({ line: 1, column: 1 });
    expect(at("a\nbc!", "!")).toEqual({ line: 2, column: 3 });
  });

  it("counts columns as editors do, not bytes, behind umlauts and emoji", () => {
    expect(at('x\nconst größe = "😀"; y', "y")).toEqual({ line: 2, column: 21 });
  });

  it("is the same in files with Windows line ends", () => {
    expect(at("ä\r\nb\r\n  c", "c")).toEqual({ line: 3, column: 3 });
  });

  it("does not count a byte order mark", () => {
    expect(at("\uFEFFab", "b")).toEqual({ line: 1, column: 2 });
  });

  it("is the end of the text for an offset past it", () => {
    expect(createPositionReader(Buffer.from("ab\nc"))(99)).toEqual({ line: 2, column: 2 });
  });
});

describe("the linter's report", () => {
  const report = (...offsets: number[]) =>
    JSON.stringify({
      diagnostics: offsets.map((offset) => ({
        message: `at ${offset}`,
        code: "oxc(some-rule)",
        severity: "warning",
        labels: [{ span: { offset, length: 1 } }],
      })),
    });

  it("comes in the order of the text", () => {
    expect(parseFindings(report(4, 0, 2), "a\nb\nc").map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  it("names rules as configuration files do", () => {
    expect(parseFindings(report(0), "a")[0]?.rule).toBe("oxc/some-rule");
    const eslint = '{"diagnostics":[{"message":"m","code":"eslint(eqeqeq)","labels":[]}]}';
    expect(parseFindings(eslint, "a")[0]).toMatchObject({ rule: "eqeqeq", line: 1, column: 1 });
  });

  it("has no rule for a syntax error", () => {
    const error = '{"diagnostics":[{"message":"Unexpected token","severity":"error","labels":[]}]}';
    expect(parseFindings(error, "a")[0]).toEqual({
      line: 1,
      column: 1,
      severity: "error",
      message: "Unexpected token",
      fixable: false,
    });
  });
});

describe("which findings can be fixed", () => {
  const finding = (message: string, line: number): Finding => ({
    rule: "r",
    message,
    line,
    column: 1,
    severity: "error",
    fixable: false,
  });

  it("are those that are gone after the fix, although lines moved", () => {
    const marked = markFixable([finding("a", 1), finding("b", 5)], [finding("b", 4)]);
    expect(marked.map(({ fixable }) => fixable)).toEqual([true, false]);
  });

  it("counts equal findings one by one", () => {
    const marked = markFixable([finding("a", 1), finding("a", 2), finding("a", 3)], [finding("a", 1)]);
    expect(marked.filter(({ fixable }) => fixable)).toHaveLength(2);
  });
});
