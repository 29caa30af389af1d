import { isFailure, type Report } from "./report.js";
import { renderResult, renderSummary } from "./text.js";

/**
 * Throws unless a run has passed. The message lists each failed check with its reason and the messages that show it.
 *
 * @throws Error with the failures as text
 */
// CONF-12
export function assertPassed(report: Report): void {
  if (report.verdict === "passed") return;
  const failed = report.checks.filter((check) => check.status === "error" || isFailure(check));
  throw new Error([renderSummary(report), ...failed.map(renderResult)].join("\n\n"));
}
