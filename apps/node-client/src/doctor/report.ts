import { isRpcError, rpcErrorCode } from "@turnkit/client";
import type { Page } from "../render/page.js";
import type { Style } from "../render/style.js";
import type { Check, Finding } from "./check.js";
import { checks } from "./checks.js";
import { type Evidence, resultOf, seconds } from "./evidence.js";

/** What the doctor says of an agent; the document of `--json`. */
export type Report = {
  readonly command: readonly string[];
  readonly agent?: { readonly name: string; readonly version: string };
  /** What was spoken: `v1`, `v2` or `seed`. */
  readonly protocol?: string;
  /** Until both sides agreed on a version, in milliseconds. */
  readonly startMs?: number;
  /** `not needed`: a session was opened without one. */
  readonly login: "not needed" | "needed" | "unknown";
  /** The names of its ways to log in. */
  readonly logins: readonly string[];
  readonly capabilities: readonly string[];
  /** It was ended from outside: what is `untested` may be so for that. */
  readonly interrupted?: true;
  readonly problems: number;
  readonly hints: number;
  readonly checks: readonly (Pick<Check, "id" | "title"> &
    ({ readonly result: "fine" | "untested" } | ({ readonly result: "finding" } & Finding)))[];
};

/** Looks at the evidence with every check. */
export function createReport(command: readonly string[], evidence: Evidence): Report {
  const peer = resultOf(evidence.start);
  const results = checks.map(({ id, title, look }): Report["checks"][number] => {
    const found = look(evidence);
    if (found === undefined) return { id, title, result: "fine" };
    return found === "untested" ? { id, title, result: "untested" } : { id, title, result: "finding", ...found };
  });
  const count = (severity: Finding["severity"]) =>
    results.filter((one) => one.result === "finding" && one.severity === severity).length;
  return {
    command,
    ...(peer && { agent: { name: peer.info.name, version: peer.info.version }, protocol: peer.dialect }),
    ...(evidence.start?.status === "done" && { startMs: Math.round(evidence.start.ms) }),
    login: loginState(evidence),
    logins: peer?.authMethods.map(({ name }) => name) ?? [],
    capabilities: peer === undefined ? [] : capabilityNames(peer.capabilities),
    ...(evidence.interrupted && { interrupted: true }),
    ...{ problems: count("problem"), hints: count("hint"), checks: results },
  };
}

/** Lines of what was seen that are shown at most: an agent that does not start may say why on stderr. */
const MAX_SEEN = 12;

/** Draws a report for people. */
export function showReport(page: Page, report: Report): void {
  const { command, agent, protocol, startMs, login, logins, capabilities, problems, hints } = report;
  page.line(["bold", "turnkit doctor"], ["dim", `  ${command.join(" ")}`]);
  if (agent !== undefined) {
    page.line(`  agent     ${agent.name} ${agent.version}`);
    page.line(`  protocol  ${protocol}, agreed on after ${seconds(startMs ?? 0)}`);
    page.line(`  login     ${login}${logins.length > 0 ? `; it offers ${logins.join(", ")}` : ""}`);
    page.line(`  can       ${capabilities.join(", ") || "what every agent can"}`);
  }
  page.section("checks");
  for (const check of report.checks) {
    if (check.result !== "finding") {
      const [mark, style] = check.result === "fine" ? (["✓", "green"] as const) : (["–", "dim"] as const);
      page.line([style, mark], ` ${check.title}`, ["dim", check.result === "fine" ? "" : "  (not tested)"]);
      continue;
    }
    const style: Style = check.severity === "problem" ? "red" : "yellow";
    page.line(
      [style, check.severity === "problem" ? "✗" : "!"],
      ["bold", ` ${check.title}: no`],
      ["dim", `  (${check.id})`],
    );
    page.block(`seen: ${check.seen}`, { gutter: "    ", sequences: "show", limit: MAX_SEEN });
    page.line(`    ${check.advice}`);
  }
  page.section("result");
  const counts = [plural(problems, "problem"), ...(hints > 0 ? [plural(hints, "hint")] : [])].join(", ");
  const verdict = problems + hints === 0 ? "Nothing to complain about" : counts;
  if (report.interrupted) page.line(["yellow", `${verdict} up to where it was interrupted.`]);
  else page.line([problems > 0 ? "red" : "green", `${verdict}.`]);
}

function loginState({ newSession }: Evidence): Report["login"] {
  if (newSession?.status === "done") return "not needed";
  const wants = newSession?.status === "failed" && isRpcError(newSession.error, rpcErrorCode.authRequired);
  return wants ? "needed" : "unknown";
}

/** The names of everything that is offered. */
function capabilityNames({ _meta, ...capabilities }: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (value === true) return name === "sessions" ? [] : [name];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([part, is]) => (is === true ? [`${name}.${part}`] : []));
  });
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
