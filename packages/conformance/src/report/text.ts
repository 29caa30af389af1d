import { evidenceLines, seconds, summaryOf, wordOf } from "./markdown.js";
import { printable } from "./markup.js";
import { type CheckResult, isFailure, type Report } from "./report.js";

/** Number of evidence lines in a text. Other renderers have all lines. */
const SHOWN = 12;

/** Renders the result of one check as a line for a terminal. A failure has more lines. */
export function renderResult(check: CheckResult): string {
  const { id, title, reason, evidence, status } = check;
  const head = `${isFailure(check) ? "✗" : marks[status]} ${id}  ${title}`;
  if (status === "passed" && isFailure(check))
    return `${head}\n    ${wordOf(check)}: ${printable(check.expected ?? "")}`;
  if (status === "passed") return reason === undefined ? head : `${head}\n    ${printable(reason)}`;
  const why = `    ${wordOf(check)}: ${printable(reason ?? "")}`;
  if (evidence === undefined) return `${head}\n${why}`;
  const marked = evidence.lines.filter((line) => line.marked);
  const lines = evidenceLines({
    ...evidence,
    lines: marked.length > 0 ? marked : evidence.lines.slice(-SHOWN),
    leftOut: 0,
  });
  return [head, why, ...lines.slice(0, SHOWN).map((line) => `    ${printable(line).slice(0, 400)}`)].join("\n");
}

/** Renders the last lines of a run. */
export function renderSummary(report: Report): string {
  const { side, agent, protocol, suite, ms, verdict } = report;
  const who = agent === undefined ? side : printable(`${agent.name} ${agent.version}`);
  return `${who}, protocol ${protocol}, suite ${suite}: ${verdict} – ${summaryOf(report)} (${seconds(ms)})`;
}

const marks = { passed: "✓", failed: "✗", skipped: "–", error: "!" } as const;
