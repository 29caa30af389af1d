import { describe, expect, it } from "vitest";
import type { Finding } from "../lint/finding.js";
import { code, fence } from "../markdown.js";
import { countFindings, explainFinding, explainFindings } from "./answers.js";

const finding: Finding = {
  line: 3,
  column: 9,
  rule: "use-isnan",
  severity: "error",
  message: "Checking equality with NaN will always return false",
  help: "Use the `isNaN` function\nto compare with NaN.",
  url: "https://oxc.rs/use-isnan",
  fixable: true,
};

describe("the explanation of a finding", () => {
  it("says where, which rule, what is wrong, what helps, and shows the code", () => {
    expect(explainFinding(finding, "    if (a === NaN) {")).toBe(
      [
        "**Line 3, column 9** – error, [use-isnan](https://oxc.rs/use-isnan), can be fixed",
        "Checking equality with NaN will always return false. Use the `isNaN` function to compare with NaN.",
        "",
        "```",
        "if (a === NaN) {",
        "```",
        "",
        "",
      ].join("\n"),
    );
  });

  it("does without help, link and code", () => {
    const bare: Finding = { line: 1, column: 1, severity: "error", message: "Unexpected token", fixable: false };
    expect(explainFinding(bare, "")).toBe("**Line 1, column 1** – error, syntax\nUnexpected token.\n\n");
  });

  it("cuts long lines of code, and is not ended by backticks in them", () => {
    const text = explainFinding(finding, `\`\`\`${"x".repeat(500)}`);
    expect(text).toContain("````\n```xxx");
    expect(text.length).toBeLessThan(500);
    expect(fence("a ```` b")).toBe("`````\na ```` b\n`````");
    expect(code("a`b.ts")).toBe("`` a`b.ts ``");
  });

  it("comes for 25 findings at most, with a count of the others", () => {
    const findings = Array.from({ length: 40 }, () => finding);
    const paragraphs = explainFindings({ path: "a.ts", findings, omitted: 2 }, "a\r\nb\r\nc");
    expect(paragraphs).toHaveLength(26);
    expect(paragraphs.at(-1)).toBe("…and 17 more.\n\n");
    expect(paragraphs[0]).toContain("```\nc\n```");
  });
});

describe("the count of findings", () => {
  it("tells errors from warnings", () => {
    const warning: Finding = { ...finding, severity: "warning" };
    expect(countFindings({ findings: [finding], omitted: 0 })).toBe("1 problem (1 error)");
    expect(countFindings({ findings: [finding, warning, warning], omitted: 0 })).toBe(
      "3 problems (1 error, 2 warnings)",
    );
    expect(countFindings({ findings: [finding], omitted: 5 })).toBe("6 problems (1 of them reported)");
  });
});
