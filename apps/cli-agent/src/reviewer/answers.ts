import type { ToolFailureCode } from "../errors.js";
import type { Finding } from "../lint/finding.js";
import { isLintable, LINTABLE } from "../lint/oxlint.js";
import { code, fence } from "../markdown.js";
import type { ToolOutput } from "../model.js";
import type { LintReport } from "../tools/lint-file.js";
import { MAX_FILES } from "./request.js";

const KINDS = LINTABLE.map(code).join(", ");

export const HELP = `I review JavaScript and TypeScript files, without a network and without a language model. Name a file in your \
message, or attach it, for example: *Please review \`src/cart.ts\`*.

I read the file, check it with oxlint, explain every finding, and where oxlint knows a fix I propose one edit and ask \
before I write it.

- Files: ${KINDS}, up to 1 MB each and ${MAX_FILES} in one message, inside this session's folders.
- Modes: \`ask\` asks before every edit, \`review\` never writes.
- Commands: \`/review <file>\`, \`/review\` for what is not committed, and \`/help\`.

To use a language model, store a key with \`turnkit-agent login\`, and begin a new session.
`;

export const NO_FILE = `I did not find a file in your message. ${HELP}`;

/** Text at the end of each review. */
export const LIMITS =
  "I look at one file at a time, and at its syntax only. I do not find wrong logic, missing checks of rights, races between " +
  "requests, or values that come from another function or file. A language model or a person should look at these.\n\n";

/** Returns the answer to `/review` if no changed file can be reviewed. `others` is the number of changed files. */
export function nothingToReview(others: number): string {
  if (others === 0)
    return "Nothing has changed since the last commit. To review a file, name it: `/review src/cart.ts`.\n\n";
  return `I have no rules for what has changed (${plural(others, "file")}). I can review ${KINDS}.\n\n`;
}

type Failure = Extract<ToolOutput, { type: "error" }>;

/** Returns a text with the reason why a file has no review, and with advice. */
export function cannotReview({ code: reason, message }: Failure): string {
  const advice = ADVICE[reason];
  return `${message}${advice === undefined ? "" : ` ${advice}`}\n\n`;
}

/** Returns a text with the reason why the changes cannot be listed, and with advice. */
export function cannotListChanges({ message }: Failure): string {
  return `${message} Without Git I do not know what has changed. Name a file instead: \`/review src/cart.ts\`.\n\n`;
}

const ADVICE: Partial<Record<ToolFailureCode, string>> = {
  not_found: "Please check the path; it starts from this session's folder.",
  directory: "Please name a file in it.",
  binary: `I can only review text: ${KINDS}.`,
  too_large: "A file of this size is usually generated or bundled; please name the source that it is made from.",
  outside: "I only touch files inside them; open a session for that folder to have it reviewed.",
};

/** Returns the answer for a file that oxlint has no rules for; `undefined` for other files. */
export function unsupported(name: string): string | undefined {
  if (isLintable(name)) return undefined;
  return `I have no rules for ${code(name)}. I can review ${KINDS}.\n\n`;
}

export function notWritten(name: string, { code: reason, message }: Failure): string {
  if (reason === "denied") return `I left ${code(name)} as it is.\n\n`;
  if (reason === "stale") return `${message} Ask me again to review what it holds now.\n\n`;
  return `The edit was not written: ${message}\n\n`;
}

const STAGES = ["read", "check", "explain", "fix"] as const;

export type ReviewStage = (typeof STAGES)[number];

/** Progress of a review: the index of the current file and its stage, or `done`. */
export type Progress = { readonly file: number; readonly stage: ReviewStage } | "done";

type Entry = { readonly content: string; readonly status: "pending" | "in_progress" | "completed" };

/** Returns the current plan. For a single file, its entries are the stages; otherwise each file has one entry. */
export function planEntries(names: readonly string[], progress: Progress): Entry[] {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    const current = progress === "done" ? STAGES.length : STAGES.indexOf(progress.stage);
    const steps = [`Read ${only}`, "Check it with oxlint", "Explain the findings", "Propose a fix where there is one"];
    return steps.map((content, index) => ({ content, status: statusOf(index, current) }));
  }
  const current = progress === "done" ? names.length : progress.file;
  return names.map((name, index) => ({ content: `Review ${name}`, status: statusOf(index, current) }));
}

function statusOf(index: number, current: number): Entry["status"] {
  return index < current ? "completed" : index === current ? "in_progress" : "pending";
}

const MAX_EXPLAINED = 25;

/** Returns the number of findings in words, such as `3 problems (2 errors, 1 warning)`. */
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

/** Returns `true` for a file with a syntax error. The report of such a file contains syntax errors only. */
export function hasSyntaxError({ findings }: LintReport): boolean {
  return findings.some(({ rule }) => rule === undefined);
}

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
  const trimmed = text.trim().replace(/\s{2,}|[^\S ]/g, " ");
  return /[.!?:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
