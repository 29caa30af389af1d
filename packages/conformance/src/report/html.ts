import { evidenceLines, repeatOf, seconds, summaryOf, wordOf } from "./markdown.js";
import { escapedLine, escapeMarkup } from "./markup.js";
import type { CheckResult, Report } from "./report.js";

/** Renders a report as one HTML file without scripts and without other files. */
export function renderHtml(report: Report): string {
  const { side, agent, protocol, suite, ms, seed, verdict, checks, began } = report;
  const name = agent === undefined ? `${side === "agent" ? "an" : "a"} ${side}` : `${agent.name} ${agent.version}`;
  const failed = checks.filter((check) => wordOf(check) !== "passed" && check.status !== "skipped");
  const others = checks.filter((check) => !failed.includes(check));
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>Conformance of ${escapedLine(name)}</title>\n<style>${style}</style>\n</head>\n<body>`,
    `<h1>Conformance of ${escapedLine(name)}</h1>`,
    `<p class="${verdict === "passed" ? "passed" : "failed"}"><strong>${verdict}</strong> – ${summaryOf(report)}</p>`,
    `<p>Protocol ${protocol}, suite ${suite}, ${seconds(ms)}, seed ${seed}, ${escapedLine(began)}</p>`,
    ...(failed.length > 0 ? ["<h2>Failures and warnings</h2>", ...failed.map((check) => failure(check, report))] : []),
    "<h2>Other checks</h2>\n<table>\n<tr><th>Check</th><th>Result</th><th>Rule</th><th>Remark</th></tr>",
    ...others.map(row),
    "</table>\n</body>\n</html>\n",
  ].join("\n");
}

function failure(check: CheckResult, report: Report): string {
  const { id, title, tier, reason = "", pages, evidence, requirements } = check;
  const links = pages.map(
    (page) => `<a href="${escapeMarkup(page)}">${escapedLine(page.replace(/^.*protocol\//, ""))}</a>`,
  );
  return [
    `<details open>\n<summary><span class="${check.status}">${wordOf(check)}</span> <code>${id}</code> ${escapedLine(title)}</summary>`,
    `<p>${escapeMarkup(reason)}</p>`,
    `<p>${tier}; ${requirements.join(", ")}; ${links.join(", ")}; repeat with <code>${repeatOf(check, report)}</code></p>`,
    ...(evidence ? [`<pre>${evidenceLines(evidence).map(line).join("\n")}</pre>`] : []),
    "</details>",
  ].join("\n");
}

function line(text: string): string {
  return text.startsWith(">") ? `<mark>${escapeMarkup(text)}</mark>` : escapeMarkup(text);
}

function row({ id, status, title, reason = "" }: CheckResult): string {
  const cells = [
    `<code>${id}</code>`,
    `<span class="${status}">${status}</span>`,
    escapedLine(title),
    escapedLine(reason),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid #8886; font-size: 13px; }
summary { cursor: pointer; font-weight: 600; } details { margin: 1rem 0; }
.passed { color: #1a7f37; } .failed, .error { color: #cf222e; } .skipped { color: #777; }
`;
