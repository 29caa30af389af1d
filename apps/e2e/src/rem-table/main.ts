import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { page } from "./page.js";
import { clientLines, type Line, renderPage, serverLines } from "./table.js";

// The requirements of the remote transport at turnkit and at the official SDK. Ends with 1 if turnkit fails one.
// npx -y pnpm@10 rem-table; with --write, it writes the page
const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const runs = { turnkit: { patience: 15_000, atOnce: 8 }, official: { patience: 3_000, atOnce: 8 } };
const server = await serverLines(() => true, runs);
const client = await clientLines(() => true, runs);
const text = renderPage(server, client);
if (values.write) writeFileSync(page, text);
const count = (lines: readonly Line[], of: (line: Line) => string, verdict: string) =>
  lines.filter((line) => of(line).startsWith(verdict)).length;
for (const [name, lines] of Object.entries({ server, client }))
  console.table(
    Object.fromEntries(
      (["turnkit", "official"] as const).map((side) => [
        `${name}, ${side}`,
        Object.fromEntries(
          ["holds", "fails", "not applicable"].map((verdict) => [verdict, count(lines, (line) => line[side], verdict)]),
        ),
      ]),
    ),
  );
const broken = [...server, ...client].filter(({ turnkit }) => turnkit !== "holds");
for (const { id, what, turnkit } of broken) console.log(`${id}, ${what}: ${turnkit}`);
if (!values.write && readFileSync(page, "utf8") !== text) console.log("The page differs from this run. Use --write.");
process.exit(broken.length === 0 ? 0 : 1);
