import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { DialectName } from "@turnkit/session";
import { hostileLines } from "./hostile-line.js";
import type { RawPipe } from "./raw-pipe.js";

/** One side under attack. */
export type Target = {
  readonly pipe: RawPipe;
  /** Valid frames of the dialect, which the lines are made of. */
  readonly frames: readonly object[];
  /** A good conversation; settles when it was answered as it should be, and throws what was not. */
  good(): Promise<void>;
  /** Returns the number of diagnostics. */
  readonly reported: () => number;
  close(): Promise<void>;
};

/** Result of an attack. */
export type Fuzzed = {
  readonly lines: number;
  readonly good: number;
  readonly sent: number;
  readonly reported: number;
  /** Most heap that lived, in bytes after a collection, in the first and in the last quarter of the samples. */
  readonly heap: { readonly firstQuarter: number; readonly lastQuarter: number } | undefined;
};

export type Attack = {
  readonly lines: number;
  readonly seed: number;
  /** Number of samples of the heap. Each takes two collections. Default: none. */
  readonly samples?: number;
};
export type Side = (dialect: DialectName) => Promise<Target>;

const batchLines = 500;
const patienceMs = 30_000;

/** Writes hostile lines to one side and, after every few hundred, has a good conversation with it. */
export async function fuzz(open: () => Promise<Target>, { lines, seed, samples = 0 }: Attack): Promise<Fuzzed> {
  const stray: unknown[] = [];
  const note = (error: unknown) => stray.push(error);
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  const target = await open();
  try {
    const next = hostileLines(seed, target.frames);
    const heap: number[] = [];
    let good = 0;
    for (let sent = 0; sent < lines; ) {
      const batch: Buffer[] = [];
      for (const end = Math.min(lines, sent + batchLines); sent < end; sent++) batch.push(next(), lineEnd);
      await target.pipe.write(Buffer.concat(batch));
      await inTime(target.good(), sent, seed);
      good++;
      if (stray.length > 0)
        throw new Error(`Nobody caught an error before line ${sent}: ${stray[0]}`, { cause: stray[0] });
      while (heap.length < samples && sent >= (lines * (heap.length + 1)) / samples) heap.push(liveHeap());
    }
    return {
      lines,
      good,
      sent: target.pipe.received,
      reported: target.reported(),
      heap:
        samples === 0
          ? undefined
          : {
              firstQuarter: Math.max(...heap.slice(0, samples / 4)),
              lastQuarter: Math.max(...heap.slice(-samples / 4)),
            },
    };
  } finally {
    await target.close();
    process.off("unhandledRejection", note);
    process.off("uncaughtException", note);
  }
}

const lineEnd = Buffer.from("\n");

async function inTime(good: Promise<void>, sent: number, seed: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `A good request after line ${sent} of seed ${seed} was not answered.`;
    timer = setTimeout(() => reject(new Error(text)), patienceMs);
  });
  try {
    await Promise.race([good, late]);
  } catch (cause) {
    throw new Error(`The good conversation after line ${sent} of seed ${seed} failed: ${String(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function liveHeap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
