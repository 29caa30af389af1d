import { type OpenClient, openOfficial, openTurnkit } from "./client-peer.js";
import { startOfficial } from "./official-peer.js";
import type { StartPeer } from "./peer.js";
import { clientRequirements, serverRequirements, unobserved } from "./requirements.js";
import type { Source } from "./row.js";
import { runClientRows } from "./run-client-rows.js";
import { type Run, runRows, type Verdict } from "./run-rows.js";
import { startTurnkit } from "./turnkit-peer.js";

/** One line of a table: the observation, and the result of each side. */
export type Line = {
  readonly id: string;
  readonly source: Source;
  readonly what: string;
  readonly expected: string;
  readonly turnkit: Verdict;
  readonly official: Verdict;
};

/** Longest wait for something that should happen: turnkit's rows hold, and end at once. */
const usual = { turnkit: { patience: 15_000, atOnce: 12 }, official: { patience: 1_500, atOnce: 24 } } as const;

/** Selects rows by their index. */
export type Select = (index: number) => boolean;

/** Runs the selected observations of servers at both sides. */
export async function serverLines(
  select: Select = () => true,
  runs: Readonly<Record<"turnkit" | "official", Run>> = usual,
): Promise<readonly Line[]> {
  const rows = serverRequirements.filter((_, index) => select(index));
  const run = (start: StartPeer, settings: Run) => runRows(rows, start, settings);
  // One after the other: rows read what the console printed.
  const turnkit = await run(startTurnkit, runs.turnkit);
  const official = await run(startOfficial, runs.official);
  return rows.map((row, at) => lineOf(row, turnkit[at], official[at]));
}

/** Runs the selected observations of clients at both sides. */
export async function clientLines(
  select: Select = () => true,
  runs: Readonly<Record<"turnkit" | "official", Run>> = usual,
): Promise<readonly Line[]> {
  const rows = clientRequirements.filter((_, index) => select(index));
  const run = (open: OpenClient, settings: Run) => runClientRows(rows, open, settings);
  const [turnkit, official] = await Promise.all([run(openTurnkit, runs.turnkit), run(openOfficial, runs.official)]);
  return rows.map((row, at) => lineOf(row, turnkit[at], official[at]));
}

function lineOf(
  { id, source, what, expected }: Pick<Line, "id" | "source" | "what" | "expected">,
  turnkit: Verdict = "not run",
  official: Verdict = "not run",
): Line {
  return { id, source, what, expected, turnkit, official };
}

/** Returns the cells of a line. */
const cellsOf = ({ id, source, what, expected, turnkit, official }: Line): readonly string[] =>
  [id, source, what, expected, turnkit, official].map((cell) => cell.replaceAll("|", "\\|"));

const headings = ["requirement", "source", "what is done and read", "expected", "turnkit", "SDK 2.4.0"];

/** Returns the page with both tables. */
export function renderPage(server: readonly Line[], client: readonly Line[]): string {
  return `# Requirements of the remote transport, observed from outside

The same raw requests and frames go to turnkit's server and to the server of the official TypeScript SDK 2.4.0. The same
scripted server answers turnkit's client and the client of this SDK. The command \`npx -y pnpm@10 rem-table --write\` makes
this page, and a test compares it with a run.

A requirement has a source:

| source | meaning                                                             |
| ------ | ------------------------------------------------------------------- |
| RFD    | the accepted text of the transport                                  |
| SDK    | the official SDK does it, and the accepted text does not mention it |
| draft  | a proposal that is not accepted; nobody has to follow it            |
| ours   | an addition of turnkit beyond the texts; nobody has to follow it    |

Therefore \`fails\` in a row with the source "draft" or "ours" is a difference and not a fault. If a row needs a setting that
the SDK does not have, the SDK runs without this setting. Only its interval of comments is shortened from outside. A host around the SDK checks
tokens and sets cookies.

turnkit departs from the RFD in two rows. REM-08: a message that names its session in \`params.sessionId\` needs no header.
REM-11: the stream of an unknown session is opened, because a client opens it before \`session/load\`.

## Servers

${tableOf(headings, server.map(cellsOf))}

## Clients

${tableOf(headings, client.map(cellsOf))}

## Not observed here

${tableOf(
  ["requirement", "part, and reason"],
  unobserved.map(({ id, why }) => [id, why]),
)}
`;
}

function tableOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = names.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const lineOfCells = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lineOfCells(names), rule, ...rows.map(lineOfCells)].join("\n");
}
