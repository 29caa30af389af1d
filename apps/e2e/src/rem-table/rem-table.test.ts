import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { page } from "./page.js";
import { clientRequirements, serverRequirements, unobserved } from "./requirements.js";
import { clientLines, type Line, renderPage, type Select, serverLines } from "./table.js";

const committed = readFileSync(page, "utf8");
/** Every line of the page, without the blanks that align it. */
const known = new Set(committed.split("\n").map((line) => line.replace(/ +/g, " ")));
const textOf = (line: Line) =>
  `| ${[line.id, line.source, line.what, line.expected, line.turnkit, line.official].join(" | ")} |`;
const isKnown = (line: Line) => known.has(textOf(line).replaceAll(" \\|", "|").replace(/ +/g, " "));

/** Runs all rows. Rows that differ from the page run again, with more patience: the machine may be busy. */
async function settled(run: typeof serverLines | typeof clientLines): Promise<readonly Line[]> {
  const lines = await run();
  const differs: Select = (index) => !isKnown(lines[index] as Line);
  const patient = { patience: 15_000, atOnce: 4 };
  const again = lines.every(isKnown) ? [] : await run(differs, { turnkit: patient, official: patient });
  const rest = [...again];
  return lines.map((line) => (isKnown(line) ? line : (rest.shift() ?? line)));
}

describe("the requirements of the remote transport, observed from outside", () => {
  it("REM-01 to REM-54: turnkit holds every row, and the page says what was observed at both sides", async () => {
    const [server, client] = await Promise.all([settled(serverLines), settled(clientLines)]);
    const broken = [...server, ...client].filter(({ turnkit }) => turnkit !== "holds");
    expect(broken.map(({ id, what, turnkit }) => `${id}, ${what}: ${turnkit}`)).toEqual([]);
    expect(renderPage(server, client)).toBe(committed);
  }, 120_000);

  it("REM-01 to REM-54: each of them has a row, or a reason why it has none", () => {
    const ids = Array.from({ length: 54 }, (_, at) => `REM-${String(at + 1).padStart(2, "0")}`);
    const found = new Set([...serverRequirements, ...clientRequirements, ...unobserved].map(({ id }) => id));
    expect([...found].sort()).toEqual(ids);
  });
});
