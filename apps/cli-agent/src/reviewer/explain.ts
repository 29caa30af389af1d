import type { Finding } from "../lint/finding.js";
import { fence } from "../markdown.js";
import type { LintReport } from "../tools/lint-file.js";

const MAX_EXPLAINED = 25;

/** Returns the counts in words: `3 problems (2 errors, 1 warning)`. */
export function countFindings({ findings, omitted }: Pick<LintReport, "findings" | "omitted">): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const parts = [errors > 0 ? plural(errors, "error") : "", warnings > 0 ? plural(warnings, "warning") : ""];
  const kinds = omitted > 0 ? `${findings.length} of them reported` : parts.filter(Boolean).join(", ");
  return `${plural(findings.length + omitted, "problem")} (${kinds})`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns `true` for a file that does not parse; its report holds syntax errors only. */
export function hasSyntaxError({ findings }: LintReport): boolean {
  return findings.some(({ rule }) => rule === undefined);
}

/** Returns each finding as a Markdown paragraph with its line of code. */
export function explainFindings(report: LintReport, text: string): string[] {
  const lines = text.split(/\r?\n/);
  const paragraphs = report.findings
    .slice(0, MAX_EXPLAINED)
    .map((finding) => explainFinding(finding, lines[finding.line - 1] ?? ""));
  const rest = report.findings.length + report.omitted - paragraphs.length;
  return rest > 0 ? [...paragraphs, `…and ${rest} more.\n\n`] : paragraphs;
}

/** Returns one finding as Markdown: place, rule, message, code, advice. */
export function explainFinding(finding: Finding, codeLine: string): string {
  const { line, column, rule, severity, message, help, url, fixable } = finding;
  const name = rule === undefined ? "syntax" : url ? `[${rule}](${url})` : rule;
  const code = codeLine.replace(/^\uFEFF/, "").trim();
  return [
    `**Line ${line}, column ${column}** – ${severity}, ${name}${fixable ? ", can be fixed" : ""}\n`,
    `${sentence(message)}${help ? ` ${sentence(help)}` : ""}\n`,
    code ? `\n${fence(code.length > 160 ? `${code.slice(0, 160)}…` : code)}\n` : "",
    "\n",
  ].join("");
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/\s+/g, " ");
  return /[.!?:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
