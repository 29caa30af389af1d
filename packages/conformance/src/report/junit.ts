import { evidenceLines, wordOf } from "./markdown.js";
import { escapeMarkup } from "./markup.js";
import { type CheckResult, isFailure, isWarning, type Report } from "./report.js";

/**
 * Renders a report as JUnit XML, one test case for each check. JUnit has no warnings and no expected failures: a warning is
 * a passed case with its text in `system-out`, and an expected failure is a skipped case.
 */
export function renderJunit(report: Report): string {
  const { checks, counts, ms, protocol, began } = report;
  const skipped = checks.filter((check) => outcomeOf(check) === "skipped").length;
  const numbers = `tests="${checks.length}" failures="${counts.failed}" errors="${counts.errors}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${numbers} time="${ms / 1000}">`,
    `  <testsuite name="ACP conformance, protocol ${protocol}" ${numbers} time="${ms / 1000}" timestamp="${began}">`,
    ...checks.map((check) => testCase(check, protocol)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(check: CheckResult, protocol: Report["protocol"]): string {
  const { id, title, tier, ms, reason = "", evidence, expected } = check;
  const head = `    <testcase classname="acp.${protocol}.${tier}" name="${escapeMarkup(`${id} ${title}`)}" time="${ms / 1000}"`;
  const text = escapeMarkup([reason, ...(evidence ? evidenceLines(evidence) : [])].join("\n"));
  const message = escapeMarkup(expected === undefined ? reason : `${wordOf(check)}: ${expected}`);
  switch (outcomeOf(check)) {
    case "failed":
      return `${head}><failure message="${message}">${text}</failure></testcase>`;
    case "error":
      return `${head}><error message="${message}">${text}</error></testcase>`;
    case "skipped":
      return `${head}><skipped message="${message}"/></testcase>`;
    default:
      return isWarning(check) ? `${head}><system-out>warning: ${text}</system-out></testcase>` : `${head}/>`;
  }
}

function outcomeOf(check: CheckResult): CheckResult["status"] {
  if (isFailure(check)) return "failed";
  if (check.status !== "failed") return check.status;
  return isWarning(check) ? "passed" : "skipped";
}
