import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Returns the CPU time of a call in milliseconds. Other work on the machine does not count. Work of the kernel does not
 * count either, because the kernel manages memory at random times.
 */
async function cpuTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return process.cpuUsage(before).user / 1000;
}

/** Returns a text of about that length in bytes of UTF-8. It repeats a piece between a head and a tail. */
function repeated({ head = "", piece, tail = "" }: HostileText, bytes: number): string {
  const room = bytes - Buffer.byteLength(head + tail);
  return head + piece.repeat(Math.max(1, Math.floor(room / Buffer.byteLength(piece)))) + tail;
}

/** A text that makes an algorithm slow. The piece is repeated between the head and the tail. */
export type HostileText = { readonly head?: string; readonly piece: string; readonly tail?: string };

/** CPU times in milliseconds for a quarter and the whole of a length. */
export type Times = readonly [quarter: number, whole: number];

const MiB = 1024 * 1024;

/** Longest time for 1 MiB of text, in milliseconds. */
const maxTime = 200;

/** Highest ratio of times when a text becomes four times as long: 3 for each of two doublings. */
const maxRatio = 9;

/** Lowest time in milliseconds for which ratios are compared. A collection of garbage takes about as long. */
const floor = 10;

/**
 * Factor by which other work on the machine may slow a call down. A call with quadratic cost is slowed down by a much
 * larger factor. On an idle machine, use `LINEAR_SLACK=1`: it measures the full length without this tolerance.
 * Otherwise an eighth of the length is measured.
 */
const slack = Number(process.env.LINEAR_SLACK ?? 10);
const share = process.env.LINEAR_SLACK === undefined ? 8 : 1;

/** Longest time for a text of a length, in milliseconds. A text below 1 MiB is measured at its whole length. */
const allowed = (length: number) => (maxTime * slack) / (length < MiB ? 1 : share);

/** Largest number of rounds, if {@link Work} does not set it. */
const ROUNDS = 20;

/** Call that is measured. */
export type Work = {
  /** Makes its input from a text, such as a message with many members. This takes no part in the times. */
  readonly input: (text: string) => unknown;
  readonly run: (input: unknown) => unknown;
  /** Largest number of rounds. @defaultValue 20 */
  readonly rounds?: number;
};

/**
 * Measures a call with a text of `length` bytes and a quarter of it. Returns the shortest times of its rounds. Further
 * rounds run only while the times are too long, and after a collection of the garbage of other tests in this process.
 *
 * A round has four calls with the quarter, which together take as long as the call with the whole. Therefore a slow
 * moment of the machine affects both with the same probability.
 */
export async function measure(
  { input, run, rounds = ROUNDS }: Work,
  text: HostileText,
  length: number,
): Promise<Times> {
  const size = length < MiB ? length : length / share;
  const [short, long] = [input(repeated(text, size / 4)), input(repeated(text, size))];
  const fourTimes = async () => {
    for (let call = 0; call < 4; call++) await run(short);
  };
  let times: Times = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    if (round > 0) collectGarbage();
    const [quarters, whole] = [await cpuTime(fourTimes), await cpuTime(() => run(long))];
    times = [Math.min(times[0], quarters / 4), Math.min(times[1], whole)];
    if (isLinear(times, length) || times[1] > 20 * maxTime) break;
  }
  return times;
}

/** Returns the texts by the time of a call with `length` bytes of them, the slowest first. */
export async function slowestFirst(
  { input, run }: Work,
  texts: readonly HostileText[],
  length: number,
): Promise<readonly HostileText[]> {
  const timed: { readonly text: HostileText; readonly time: number }[] = [];
  for (const text of texts) {
    const whole = input(repeated(text, length));
    timed.push({ text, time: await cpuTime(() => run(whole)) });
  }
  return timed.toSorted((one, other) => other.time - one.time).map(({ text }) => text);
}

/** Returns true if the cost grows in proportion to the length of the text, and no time is too long. */
export function isLinear([quarter, whole]: Times, length: number): boolean {
  return whole <= allowed(length) && whole <= maxRatio * Math.max(quarter, floor);
}
