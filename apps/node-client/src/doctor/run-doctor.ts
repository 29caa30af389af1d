import { redactText } from "@turnkit/transport/trace";
import { type ExitCode, exitCode } from "../exit-code.js";
import { deadlineNote, startDeadline, unlessAborted } from "../interrupts.js";
import type { Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import type { ProgramStreams } from "../program.js";
import { type Page, pageOn } from "../render/page.js";
import type { Style } from "../render/style.js";
import { agentWords, readSetup } from "../setup/setup.js";
import { checks } from "./checks.js";
import { type Evidence, resultOf, seconds, wantsLogin } from "./evidence.js";
import { examine } from "./examine.js";
import type { Check, Finding } from "./message-checks.js";

type DoctorInvocation = Extract<Invocation, { kind: "doctor" }>;

/** Runs `turnkit doctor`. The exit code is `complaints` if the agent has a problem. */
export async function runDoctor(invocation: DoctorInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { stdout, stderr, env, interrupts } = streams;
  const setup = await unlessAborted(readSetup(invocation, env), interrupts.cancel);
  const remarks = createRemarks(streams);
  const deadline = startDeadline(invocation.timeoutMs, interrupts);
  const evidence = await examine(setup, {
    ...{ turn: invocation.turn, signal: interrupts.cancel },
    // The machine of a remote agent has no folder of this program.
    ...(setup.remote && invocation.cwd !== undefined && { directory: setup.directory }),
    onStep: (step) => {
      if (stderr.isTTY) remarks.note(`trying: ${step} …`);
    },
  });
  deadline.release();
  const report = createReport(agentWords(setup), evidence);
  if (invocation.json) stdout.write(`${safeJson(report, 2)}\n`);
  else showReport(pageOn(stdout, env), report);
  if (deadline.isOver) {
    remarks.note(deadlineNote);
    return exitCode.timeout;
  }
  if (interrupts.cancel.aborted) return exitCode.cancelled;
  return report.problems > 0 ? exitCode.complaints : exitCode.ended;
}

/** Result of an examination, and the document that `--json` prints. */
export type Report = {
  /** Command of the agent, or its address. */
  readonly command: readonly string[];
  readonly agent?: { readonly name: string; readonly version: string };
  /** Dialect: `v1`, `v2` or `seed`. */
  readonly protocol?: string;
  /** Milliseconds from the start until both sides agreed on a version. */
  readonly startMs?: number;
  /** `not needed` means that the agent opened a session without a login. */
  readonly login: "not needed" | "needed" | "unknown";
  /** Names of the agent's login methods. */
  readonly logins: readonly string[];
  readonly capabilities: readonly string[];
  /** `true` if a signal ended the examination. Checks may then be `untested` for this reason. */
  readonly interrupted?: true;
  /** Number of messages that were not examined, because more than 20 000 or 16 MiB arrived. */
  readonly unexamined?: number;
  readonly problems: number;
  readonly hints: number;
  readonly checks: readonly (Pick<Check, "id" | "title"> &
    ({ readonly result: "fine" | "untested" } | ({ readonly result: "finding" } & Finding)))[];
};

/** Applies every check to the evidence and returns the report. */
export function createReport(command: readonly string[], evidence: Evidence): Report {
  const peer = resultOf(evidence.start);
  const results = checks.map((check): Report["checks"][number] => {
    const { id, title, severity = "problem", advice } = check;
    if (!check.tested(evidence)) return { id, title, result: "untested" };
    const found = check.seen(evidence);
    if (found === undefined) return { id, title, result: "fine" };
    const { seen, ...own } = typeof found === "string" ? { seen: found } : found;
    return { id, title, result: "finding", severity, advice, ...own, seen: shortened(seen) };
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
    ...(evidence.leftOut && { unexamined: evidence.leftOut }),
    ...{ problems: count("problem"), hints: count("hint"), checks: results },
  };
}

/** Maximum length of a finding, in characters. An agent may answer with an error of many megabytes. */
const MAX_FINDING = 4000;

/** Returns the text of a finding without secrets, cut to its maximum length. */
function shortened(text: string): string {
  const clean = redactText(text.slice(0, 2 * MAX_FINDING));
  return clean.length > MAX_FINDING ? `${clean.slice(0, MAX_FINDING).replace(/[\ud800-\udbff]$/, "")}…` : clean;
}

/** Maximum number of lines for one finding. An agent that does not start may write a long text to stderr. */
const MAX_SEEN = 12;

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
  if (report.unexamined !== undefined) {
    const what = report.unexamined === 1 ? "1 message was" : `${report.unexamined} messages were`;
    page.line(["yellow", `${what} not examined, because more than 20 000 or 16 MiB arrived.`]);
  }
  const counts = [plural(problems, "problem"), ...(hints > 0 ? [plural(hints, "hint")] : [])].join(", ");
  const verdict = problems + hints === 0 ? "Nothing to complain about" : counts;
  if (report.interrupted) page.line(["yellow", `${verdict} up to where it was interrupted.`]);
  else page.line([problems > 0 ? "red" : "green", `${verdict}.`]);
}

function loginState({ newSession }: Evidence): Report["login"] {
  if (newSession?.status === "done") return "not needed";
  return wantsLogin(newSession) ? "needed" : "unknown";
}

/** Returns the names of all capabilities whose value is `true`. */
function capabilityNames({ _meta, ...capabilities }: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (value === true) return name === "sessions" ? [] : [name];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([part, is]) => (is === true ? [`${name}.${part}`] : []));
  });
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
