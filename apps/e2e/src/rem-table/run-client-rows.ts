import type { OpenClient } from "./client-peer.js";
import { type ClientRow, ClientStand } from "./client-row.js";
import type { Run, Verdict } from "./run-rows.js";

/** Makes the observations of rows at one client, some at the same time. Each row has a server of its own. */
export async function runClientRows(
  rows: readonly ClientRow[],
  open: OpenClient,
  { patience, atOnce }: Run,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < rows.length; at = next++)
      verdicts[at] = await verdictOf(rows[at] as ClientRow, open, patience);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return verdicts;
}

async function verdictOf(row: ClientRow, open: OpenClient, patience: number): Promise<Verdict> {
  const stand = new ClientStand(open, row, patience);
  await stand.start();
  try {
    const observed = await row.observe(stand);
    return observed === row.expected ? "holds" : `fails: ${observed}`;
  } catch (error) {
    return `fails: ${(error as Error).message}`;
  } finally {
    await stand.stop();
  }
}
