import { format } from "node:util";
import type { StartPeer } from "./peer.js";
import { RawSide } from "./raw-side.js";
import { type Row, within } from "./row.js";

/** Result of a row at one peer: `holds`, `not applicable`, or `fails: ` with what was observed. */
export type Verdict = string;

/** Longest time of an observation, in milliseconds. */
const BOUND_MS = 25_000;

/** Settings of a run. */
export type Run = {
  /** Longest wait for something that should happen, in milliseconds. */
  readonly patience: number;
  /** Observations at the same time. */
  readonly atOnce: number;
};

/** Makes the observations of rows at one peer, some at the same time. Each row has a server of its own. */
export async function runRows(rows: readonly Row[], start: StartPeer, run: Run): Promise<readonly Verdict[]> {
  const console = captureConsole();
  const verdicts: Verdict[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < rows.length; at = next++)
      verdicts[at] = await verdictOf(rows[at] as Row, start, { patience: run.patience, log: console.text });
  };
  try {
    await Promise.all(Array.from({ length: run.atOnce }, work));
  } finally {
    console.restore();
  }
  return verdicts;
}

type Observation = { readonly patience: number; readonly log: () => string };

async function verdictOf(row: Row, start: StartPeer, { patience, log }: Observation): Promise<Verdict> {
  const peer = await start(row.settings ?? {});
  const side = () => new RawSide(peer, { wire: row.wire ?? "http/1.1", tls: row.settings?.tls ?? false, patience });
  const soon = (condition: () => boolean) => within(patience, condition);
  const [raw, other] = [side(), side()];
  let timer: NodeJS.Timeout | undefined;
  try {
    if (row.isAbsent?.(peer)) return "not applicable";
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, BOUND_MS, "no end");
    });
    const observed = await Promise.race([row.observe({ peer, raw, other, log, soon }), late]);
    return observed === row.expected ? "holds" : `fails: ${observed}`;
  } catch (error) {
    return `fails: ${(error as Error).message}`;
  } finally {
    clearTimeout(timer);
    raw.close();
    other.close();
    await peer.close();
  }
}

/** Keeps what servers print, until `restore`. */
function captureConsole(): { text(): string; restore(): void } {
  const { warn, error, log } = console;
  let text = "";
  const keep = (...words: readonly unknown[]) => {
    text += `${format(...words)}\n`;
  };
  Object.assign(console, { warn: keep, error: keep, log: keep });
  return { text: () => text, restore: () => void Object.assign(console, { warn, error, log }) };
}
