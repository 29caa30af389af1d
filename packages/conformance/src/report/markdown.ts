import { printable } from "./markup.js";
import { type CheckResult, type Evidence, isFailure, isWarning, type Report } from "./report.js";

/** Returns the results of a report in three groups. Failures come before warnings. */
export function groupsOf({ checks }: Report) {
  const noticed = checks.filter((check) => wordOf(check) !== "passed" && check.status !== "skipped");
  const warnings = noticed.filter(isWarning);
  const skipped = checks.filter(({ status }) => status === "skipped");
  const failures = [...noticed.filter((check) => !isWarning(check)), ...warnings];
  return { failures, skipped, passed: checks.filter((check) => !noticed.includes(check) && !skipped.includes(check)) };
}

/** Sentence about the requests of the runner in a conversation. */
export const RUNNER_REQUESTS =
  "The runner sends requests whose methods begin with _turnkit/, to wait until earlier messages are processed. An error is a correct answer.";

/** Renders a report as Markdown, with the failures first. */
export function renderMarkdown(report: Report): string {
  const { side, agent, protocol, suite, ms, seed, verdict } = report;
  const { failures, skipped, passed } = groupsOf(report);
  return [
    `# Conformance of ${agent === undefined ? `${side === "agent" ? "an" : "a"} ${side}` : cell(`${agent.name} ${agent.version}`)}`,
    "",
    `**${verdict}** – ${summaryOf(report)}. Protocol ${protocol}, suite ${suite}, ${seconds(ms)}, seed ${seed}.`,
    ...(failures.length > 0 ? ["", cell(RUNNER_REQUESTS)] : []),
    ...failures.flatMap((check) => failure(check, report)),
    ...table("Skipped checks", skipped),
    ...table("Passed checks", passed),
    "",
  ].join("\n");
}

function table(title: string, checks: readonly CheckResult[]): readonly string[] {
  if (checks.length === 0) return [];
  return [
    ...["", `## ${title}`, "", "| check | what must hold | remark |", "| ----- | -------------- | ------ |"],
    ...checks.map(({ id, title, reason = "" }) => `| ${id} | ${cell(title)} | ${cell(reason)} |`),
  ];
}

/** Returns the options that repeat a check. Version 1 is the default of the program. */
export function repeatOf({ id, seed }: CheckResult, { protocol, prompts = {} }: Report): string {
  const given = Object.entries(prompts).map(([name, text]) => ` --prompt ${name}='${text.replaceAll("'", "'\\''")}'`);
  return `${protocol === 1 ? "" : `--protocol ${protocol} `}--only ${id} --seed ${seed}${given.join("")}`;
}

/** Returns the counts of a report as words. */
export function summaryOf({ counts }: Report): string {
  const { passed, failed, warnings, expected, skipped, errors } = counts;
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    `${warnings} ${warnings === 1 ? "warning" : "warnings"}`,
    `${skipped} skipped`,
  ];
  if (expected > 0) parts.push(`${expected} expected failures`);
  return [...parts, ...(errors > 0 ? [`${errors} errors of the runner`] : [])].join(", ");
}

/** Returns the word for the result of a check. */
export function wordOf(check: CheckResult): string {
  const { status, expected } = check;
  if (status === "error") return "error of the runner";
  if (expected !== undefined && status === "failed") return "expected failure";
  if (isFailure(check) && status === "passed") return "passed, but a failure is expected";
  return isWarning(check) ? "warning" : status;
}

/** Returns a duration for people. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Returns the lines of the evidence, with marks at the lines that the reason is about. */
export function evidenceLines({ lines, leftOut, stderr }: Evidence): readonly string[] {
  const rows = lines.map(({ ms, by, frame, line, marked }) => {
    const text = line ?? JSON.stringify(frame);
    return `${marked ? ">" : " "} ${String(ms).padStart(6)} ms  ${by === "agent" ? "<-" : "->"} ${text}`;
  });
  return [
    ...rows,
    ...(leftOut > 0 ? [`  (${leftOut} lines in the middle are left out)`] : []),
    ...(stderr ? ["stderr:", ...stderr.split("\n").map((line) => `  ${line}`)] : []),
  ];
}

function failure(check: CheckResult, report: Report): readonly string[] {
  const { id, title, tier, reason = "", requirements, pages, evidence, expected } = check;
  const fence = "~~~~";
  return [
    "",
    `## ${id}: ${cell(title)}`,
    "",
    `${wordOf(check)} (${tier}): ${cell(expected === undefined ? reason : `${reason} ${expected}`)}`,
    "",
    `Requirements: ${requirements.join(", ")}. ${pages.map((page) => `<${page}>`).join(" ")}`,
    "",
    `Repeat: \`${repeatOf(check, report).replaceAll("`", "'")}\``,
    ...(evidence
      ? ["", fence, ...evidenceLines(evidence).map((line) => printable(line).replaceAll("~~~~", "~~ ~~")), fence]
      : []),
  ];
}

/** Returns a text for one cell or line of Markdown. The text may come from an agent. Its addresses do not become links. */
function cell(text: string): string {
  return printable(text.replace(/\s+/g, " "))
    .replace(/[|\\`*_<>[\]]|:(?=\/\/)/g, "\\$&")
    .replace(/\bwww\./gi, "www\\.");
}
