import type { Page } from "../render/page.js";
import type { Style } from "../render/style.js";
import type { DoctorCheck } from "./doctor-check.js";
import { seconds } from "./first-contact.js";
import type { Report } from "./report.js";

/** Maximum number of lines for one finding. An agent that does not start may write a long text to stderr. */
const MAX_SEEN = 12;

export function showAgent(page: Page, report: Report): void {
  const { command, agent, protocol, startMs, login, logins, capabilities } = report;
  page.line(["bold", "turnkit doctor"], ["dim", `  ${command.join(" ")}`]);
  if (agent === undefined) return;
  page.line(`  agent     ${agent.name} ${agent.version}`);
  page.line(`  protocol  ${protocol}, agreed on after ${seconds(startMs ?? 0)}`);
  page.line(`  login     ${login}${logins.length > 0 ? `; it offers ${logins.join(", ")}` : ""}`);
  page.line(`  can       ${capabilities.join(", ") || "what every agent can"}`);
}

export function showCheck(page: Page, check: DoctorCheck): void {
  page.section("checks");
  if (check.result !== "finding") {
    const [mark, style] = check.result === "fine" ? (["✓", "green"] as const) : (["–", "dim"] as const);
    const why = "reason" in check ? `: ${check.reason}` : "";
    page.line([style, mark], ` ${check.title}`, ["dim", check.result === "fine" ? "" : `  (not tested${why})`]);
    return;
  }
  page.line(...titleOf(check));
  page.block(`seen: ${check.seen}`, { gutter: "    ", sequences: "show", limit: MAX_SEEN });
  for (const message of check.messages ?? []) page.line(["dim", `    ${message}`]);
  if (check.advice !== undefined) page.line(`    ${check.advice}`);
  for (const address of check.pages ?? []) page.line(["dim", `    ${address}`]);
}

/**
 * If a report has more checks than this number, its problems are repeated at the end, because they may be out of view.
 */
const MANY_CHECKS = 8;

/** Draws the number of problems and hints. After many checks, the problems are repeated. */
export function showVerdict(page: Page, { problems, hints, interrupted, checks }: Report): void {
  page.section("result");
  const counts = [plural(problems, "problem"), ...(hints > 0 ? [plural(hints, "hint")] : [])].join(", ");
  const verdict = problems + hints === 0 ? "Nothing to complain about" : counts;
  if (interrupted) page.line(["yellow", `${verdict} up to where it was interrupted.`]);
  else page.line([problems > 0 ? "red" : "green", `${verdict}.`]);
  if (checks.length <= MANY_CHECKS) return;
  for (const check of checks) {
    if (check.result === "finding" && check.severity === "problem") page.line(...titleOf(check));
  }
}

function titleOf({ severity, title, id }: Extract<DoctorCheck, { result: "finding" }>) {
  const [mark, style]: [string, Style] = severity === "problem" ? ["✗", "red"] : ["!", "yellow"];
  return [
    [style, mark],
    ["bold", ` ${title}`],
    ["dim", `  (${id})`],
  ] as const;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
