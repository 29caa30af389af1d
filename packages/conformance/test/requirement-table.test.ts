import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { agentChecks } from "../src/agent/agent-checks.js";
import type { CheckFacts } from "../src/check.js";
import { clientChecks } from "../src/client/client-checks.js";
import { transportChecks } from "../src/node/remote/run-transport-checks.js";

const spec = resolve(import.meta.dirname, "../../tooling/spec/requirements.tsv");
const page = resolve(import.meta.dirname, "../../../docs/reference/conformance-requirements.md");

const rows = readFileSync(spec, "utf8")
  .split("\n")
  .map((line) => line.split("\t"))
  .filter(([id = "", level = ""]) => /^MUST/.test(level) && !/^(SHARE|CONF)-/.test(id));

const checksOf = (all: readonly CheckFacts[], id: string) =>
  all
    .filter(({ requirements }) => requirements.includes(id))
    .map((check) => `\`${check.id}\``)
    .join(", ");

/** Page with each MUST of the catalogues, and the checks that look at it. */
function renderPage(): string {
  const lines = rows.map(([id = ""]) => ({
    id,
    agent: checksOf([...agentChecks, ...transportChecks], id),
    client: checksOf(clientChecks, id),
  }));
  const seen = lines.filter(({ agent, client }) => agent !== "" || client !== "");
  const unseen = lines.filter((line) => !seen.includes(line)).map(({ id }) => id);
  return [
    "# Requirements and their checks",
    "",
    "A test of `@turnkit/conformance` makes this page: `WRITE_PAGE=1 npx -y pnpm@10 vitest run --project conformance requirement-table`.",
    "",
    `The catalogues have ${lines.length} requirements with the word MUST. Checks look at ${seen.length} of them.`,
    "",
    "| requirement | checks of agents | checks of clients |",
    "| ----------- | ---------------- | ----------------- |",
    ...seen.map(({ id, agent, client }) => `| ${id} | ${agent} | ${client} |`),
    "",
    "## Without a check",
    "",
    "No check looks at these requirements yet. Some of them cannot be seen from outside, such as how a client shows something. Others",
    "need a second prompt, a login or a setting, which the runner cannot ask of every program.",
    "",
    "| requirement |",
    "| ----------- |",
    ...unseen.map((id) => `| ${id} |`),
    "",
  ].join("\n");
}

/** Removes what a formatter adds to tables. */
const unaligned = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

it("CONF-03: the page has every MUST of the catalogues, with its checks", () => {
  if (process.env.WRITE_PAGE) writeFileSync(page, renderPage());
  expect(unaligned(readFileSync(page, "utf8"))).toBe(unaligned(renderPage()));
});
