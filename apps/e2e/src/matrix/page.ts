import type { CheckResult, Report } from "@turnkit/conformance";
import type { Peer } from "./peer.js";

/** Report about one program, or the reason why it did not run. */
export type Tried = Pick<Peer, "name" | "side" | "protocol"> &
  ({ readonly report: Report } | { readonly notRun: string });

/** Renders the page of all reports: counts first, then each failure with its reason. */
export function renderPeers(tried: readonly Tried[]): string {
  return [
    "# Conformance of agents and clients",
    "",
    "The full suite of `@turnkit/conformance` ran against these programs. The command",
    "`npx -y pnpm@10 conformance-matrix --write` makes this page. The agents and clients of the official SDK follow its",
    "documentation (`apps/e2e/src/matrix`). Agents of other projects have a model on this machine in place of their provider.",
    "",
    "A check is skipped if the program does not offer a capability, or does not show the behaviour.",
    "",
    "| program | side | protocol | date | passed | failed | warnings | skipped |",
    "| ------- | ---- | -------- | ---- | ------ | ------ | -------- | ------- |",
    ...tried.map(rowOf),
    "",
    "## Failures and warnings",
    "",
    "[Requirements and their checks](conformance-requirements.md) has the requirements.",
    "",
    "| program | protocol | check | requirements | weight | what must hold | seen |",
    "| ------- | -------- | ----- | ------------ | ------ | -------------- | ---- |",
    ...tried.flatMap(failuresOf),
    "",
  ].join("\n");
}

function rowOf(one: Tried): string {
  const { name, side, protocol } = one;
  if ("notRun" in one) return `| ${cell(name)} | ${side} | ${protocol} | not run: ${cell(one.notRun)} | | | | |`;
  const { passed, failed, warnings, skipped } = one.report.counts;
  return `| ${cell(name)} | ${side} | ${protocol} | ${one.report.began.slice(0, 10)} | ${passed} | ${failed} | ${warnings} | ${skipped} |`;
}

function failuresOf(one: Tried): readonly string[] {
  if ("notRun" in one) return [];
  return one.report.checks
    .filter(({ status }) => status === "failed" || status === "error")
    .map((check) => {
      const { id, requirements, tier, title } = check;
      const cells = [cell(one.name), one.protocol, id, requirements.join(", "), tier, cell(title), seen(check)];
      return `| ${cells.join(" | ")} |`;
    });
}

const LONGEST = 160;

function seen({ reason = "" }: CheckResult): string {
  return cell(reason.length > LONGEST ? `${reason.slice(0, LONGEST)}…` : reason);
}

function cell(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")
    .replace(/\/\S*conformance-matrix-\w+/g, "…")
    .replace(/\s+/g, " ")
    .replace(/[|\\`*_<>[\]]/g, "\\$&");
}
