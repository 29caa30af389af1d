import type { CheckFacts } from "../check.js";
import { printableJson } from "./markup.js";

/** Result of one check. */
export type CheckResult = Pick<CheckFacts, "id" | "title" | "tier" | "requirements"> & {
  /**
   * - `failed`: the title of the check is not true for the agent.
   * - `skipped`: the check says nothing about this agent, for example because a capability is not offered.
   * - `error`: the runner itself has a fault.
   */
  readonly status: "passed" | "failed" | "skipped" | "error";
  /** Reason for a status other than `passed`, or the remark of an informational check. */
  readonly reason?: string;
  /** Pages of the protocol with the requirements. */
  readonly pages: readonly string[];
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Seed that repeats the check. */
  readonly seed: number;
  /** Messages that show a failure. */
  readonly evidence?: Evidence;
  /** Reason why a failure of this check is expected. Present for each listed check. */
  readonly expected?: string;
};

/** Conversation of a failed check. Secrets are removed. */
export type Evidence = {
  readonly lines: readonly EvidenceLine[];
  /** Number of lines that are left out between the first and the last lines. */
  readonly leftOut: number;
  /** Last lines of the agent's stderr. */
  readonly stderr?: string;
};

/** Line of a conversation. */
export type EvidenceLine = {
  /** Milliseconds since the start of the conversation. */
  readonly ms: number;
  readonly by: "agent" | "client";
  /** Message, or the text of a line that is not JSON. */
  readonly frame?: unknown;
  readonly line?: string;
  /** `true` for the lines that the reason is about. */
  readonly marked?: true;
};

/** Result of a run. */
export type Report = {
  /** Side that was checked. */
  readonly side: "agent" | "client";
  /** Dialect of the run. */
  readonly protocol: 1 | 2 | "seed";
  readonly suite: "quick" | "full";
  /** Name and version of the program that was checked, as it gave them in `initialize`. */
  readonly agent?: { readonly name: string; readonly version: string };
  /** Prompts of the run that are not the default ones, by name. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Start of the run, as an ISO 8601 time. */
  readonly began: string;
  readonly ms: number;
  readonly seed: number;
  /**
   * Number of checks by result. `warnings` are failed checks of the tier `advisory`. `expected` are failures that were
   * listed as expected. `failed` are all other failures, and listed checks that passed.
   */
  readonly counts: Readonly<Record<"passed" | "failed" | "warnings" | "expected" | "skipped" | "errors", number>>;
  /** `failed`: a mandatory or capability check failed, or a listed check passed. `could not run`: a check had an error of the runner. */
  readonly verdict: "passed" | "failed" | "could not run";
  readonly checks: readonly CheckResult[];
};

/** Returns the counts of some results. */
export function countsOf(checks: readonly CheckResult[]): Report["counts"] {
  const count = (fits: (check: CheckResult) => boolean) => checks.filter(fits).length;
  return {
    passed: count((check) => check.status === "passed" && !isFailure(check)),
    failed: count(isFailure),
    warnings: count(isWarning),
    expected: count(({ status, expected }) => status === "failed" && expected !== undefined),
    skipped: count(({ status }) => status === "skipped"),
    errors: count(({ status }) => status === "error"),
  };
}

/** Returns `true` for a failed check that does not fail the run. */
export function isWarning({ status, tier, expected }: CheckResult): boolean {
  return status === "failed" && expected === undefined && (tier === "advisory" || tier === "informational");
}

/**
 * Returns `true` for a result that fails the run: an unexpected failure, or a check that passed although its failure
 * was expected.
 */
// CONF-06
export function isFailure(check: CheckResult): boolean {
  const { status, expected } = check;
  if (status === "passed") return expected !== undefined;
  return status === "failed" && expected === undefined && !isWarning(check);
}

/** Returns the verdict of some results. */
export function verdictOf({ failed, errors }: Report["counts"]): Report["verdict"] {
  if (errors > 0) return "could not run";
  return failed > 0 ? "failed" : "passed";
}

/** Renders a report as JSON. Its form is the type {@link Report}. */
export function renderJson(report: Report): string {
  return printableJson(report);
}
