import type { CheckResult, Report } from "@turnkit/conformance";

/** Report of one agent or client. */
export type Tried = { readonly name: string; readonly report: Report };

/** Renders the page of all reports: counts first, then each failure with its reason. */
export function renderPeers(tried: readonly Tried[], date: Date): string {
  const rows = tried.map(({ name, report: { side, protocol, counts } }) => {
    const { passed, failed, warnings, skipped } = counts;
    return `| ${name} | ${side} | ${protocol} | ${passed} | ${failed} | ${warnings} | ${skipped} |`;
  });
  return [
    "# Conformance of agents and clients",
    "",
    "The full suite of `@turnkit/conformance` ran against these programs. The command",
    "`npx -y pnpm@10 conformance-matrix --write` makes this page. The agent and the client of the official SDK follow its",
    `documentation (\`apps/e2e/src/matrix\`). The run was on ${date.toISOString().slice(0, 10)}.`,
    "",
    "A check is skipped if the program does not offer a capability, or does not show the behaviour.",
    "",
    "| program | side | protocol | passed | failed | warnings | skipped |",
    "| ------- | ---- | -------- | ------ | ------ | -------- | ------- |",
    ...rows,
    "",
    "## Failures and warnings",
    "",
    "| program | protocol | check | weight | what must hold | seen |",
    "| ------- | -------- | ----- | ------ | -------------- | ---- |",
    ...tried.flatMap(({ name, report }) =>
      report.checks
        .filter(({ status }) => status === "failed" || status === "error")
        .map(
          (check) =>
            `| ${name} | ${report.protocol} | ${check.id} | ${check.tier} | ${cell(check.title)} | ${seen(check)} |`,
        ),
    ),
    "",
  ].join("\n");
}

const LONGEST = 160;

function seen({ reason = "" }: CheckResult): string {
  return cell(reason.length > LONGEST ? `${reason.slice(0, LONGEST)}…` : reason);
}

function cell(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")
    .replace(/\s+/g, " ")
    .replace(/[|\\`*_<>[\]]/g, "\\$&");
}
