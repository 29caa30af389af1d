import { wordOf } from "./markdown.js";
import { printableJson } from "./markup.js";
import { type CheckResult, isFailure, isWarning, type Report } from "./report.js";

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

/**
 * Renders the failures and warnings of a report as SARIF 2.1.0. Each check is a rule. The location is the file `agent`,
 * because no line of source is known. An expected failure is a suppressed result.
 */
export function renderSarif(report: Report): string {
  const { checks, agent, protocol } = report;
  const found = checks.filter((check) => check.status === "failed" || check.status === "error" || isFailure(check));
  const run = {
    tool: {
      driver: {
        name: "turnkit conformance",
        informationUri: "https://agentclientprotocol.com",
        rules: checks.map(rule),
      },
    },
    results: found.map(result),
    properties: { protocol, ...(agent && { agent }) },
  };
  return printableJson({ $schema: schema, version: "2.1.0", runs: [run] });
}

function rule({ id, title, tier, requirements, pages }: CheckResult): object {
  return {
    ...{ id, shortDescription: { text: title } },
    ...(pages[0] !== undefined && { helpUri: pages[0] }),
    properties: { tier, requirements, tags: [tier] },
  };
}

function result(check: CheckResult): object {
  const { id, reason, expected } = check;
  return {
    ruleId: id,
    level: isWarning(check) ? "warning" : "error",
    message: { text: reason ?? wordOf(check) },
    locations: [{ physicalLocation: { artifactLocation: { uri: "agent" }, region: { startLine: 1 } } }],
    ...(expected !== undefined &&
      check.status === "failed" && {
        suppressions: [{ kind: "external", justification: expected }],
      }),
  };
}
