import { appendFileSync, readFileSync } from "node:fs";

/** Note of a client, written to a file at once, so that a client killed by KILL loses none. */
export type Note =
  | { readonly group: number }
  | { readonly sessionId: string }
  | { readonly sent: number }
  | { readonly acknowledged: number }
  | { readonly hang: string }
  | { readonly failure: string };

/** Notes by kind. */
export type Ledger = {
  readonly groups: ReadonlySet<number>;
  readonly sessionId: string | undefined;
  /** The number of the next prompt. */
  readonly next: number;
  readonly acknowledged: readonly number[];
  readonly hangs: readonly string[];
  readonly failures: readonly string[];
};

export const note = (path: string, entry: Note): void => appendFileSync(path, `${JSON.stringify(entry)}\n`);

export function readLedger(path: string): Ledger {
  const notes = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Note);
  const all = <T>(pick: (entry: Note) => T | undefined): T[] => notes.map(pick).filter((found) => found !== undefined);
  return {
    groups: new Set(all((entry) => ("group" in entry ? entry.group : undefined))),
    sessionId: all((entry) => ("sessionId" in entry ? entry.sessionId : undefined)).at(-1),
    next: all((entry) => ("sent" in entry ? entry.sent : undefined)).length,
    acknowledged: all((entry) => ("acknowledged" in entry ? entry.acknowledged : undefined)),
    hangs: all((entry) => ("hang" in entry ? entry.hang : undefined)),
    failures: all((entry) => ("failure" in entry ? entry.failure : undefined)),
  };
}
