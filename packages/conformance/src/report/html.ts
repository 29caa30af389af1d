import { evidenceLines, groupsOf, RUNNER_REQUESTS, repeatOf, seconds, summaryOf, wordOf } from "./markdown.js";
import { escapedLine, escapeMarkup } from "./markup.js";
import { type CheckResult, isWarning, type Report } from "./report.js";

/** Renders a report as one HTML file without scripts and without other files. */
export function renderHtml(report: Report): string {
  const { side, agent, protocol, suite, ms, seed, verdict, began } = report;
  const name = agent === undefined ? `${side === "agent" ? "an" : "a"} ${side}` : `${agent.name} ${agent.version}`;
  const { failures, skipped, passed } = groupsOf(report);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>Conformance of ${escapedLine(name)}</title>\n<style>${style}</style>\n</head>\n<body>`,
    `<h1>Conformance of ${escapedLine(name)}</h1>`,
    `<p class="${verdict === "passed" ? "passed" : "failed"}"><strong>${verdict}</strong> – ${summaryOf(report)}</p>`,
    `<p>Protocol ${protocol}, suite ${suite}, ${seconds(ms)}, seed ${seed}, ${escapedLine(began)}</p>`,
    ...(failures.length > 0 ? [`<h2>Failures and warnings</h2>\n<p>${escapedLine(RUNNER_REQUESTS)}</p>`] : []),
    ...failures.map((check) => failure(check, report)),
    ...table("Skipped checks", skipped),
    ...table("Passed checks", passed),
    "</body>\n</html>\n",
  ].join("\n");
}

function failure(check: CheckResult, report: Report): string {
  const { id, title, tier, reason = "", pages, evidence, requirements } = check;
  const links = pages.map(
    (page) => `<a href="${escapeMarkup(page)}">${escapedLine(page.replace(/^.*protocol\//, ""))}</a>`,
  );
  return [
    `<details open>\n<summary><span class="${isWarning(check) ? "warning" : check.status}">${wordOf(check)}</span> <code>${id}</code> ${escapedLine(title)}</summary>`,
    `<p>${escapeMarkup(reason)}</p>`,
    `<p>${tier}; ${requirements.join(", ")}; ${links.join(", ")}; repeat with <code>${escapedLine(repeatOf(check, report))}</code></p>`,
    ...(evidence ? [`<pre>${evidenceLines(evidence).map(line).join("")}</pre>`] : []),
    "</details>",
  ].join("\n");
}

function line(text: string): string {
  return `<span>${text.startsWith(">") ? `<mark>${escapeMarkup(text)}</mark>` : escapeMarkup(text)}\n</span>`;
}

function table(title: string, checks: readonly CheckResult[]): readonly string[] {
  if (checks.length === 0) return [];
  const head = "<tr><th>Check</th><th>Rule</th><th>Remark</th></tr>";
  return [`<h2>${title}</h2>\n<table>\n${head}`, ...checks.map(row), "</table>"];
}

function row({ id, title, reason = "" }: CheckResult): string {
  const cells = [`<code>${id}</code>`, escapedLine(title), escapedLine(reason)];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
pre { padding: .8rem; border: 1px solid #8886; font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { display: block; padding-left: 9rem; text-indent: -9rem; }
summary { cursor: pointer; font-weight: 600; } details { margin: 1rem 0; }
.passed { color: #1a7f37; } .failed, .error { color: #cf222e; } .warning { color: #9a6700; }
`;
