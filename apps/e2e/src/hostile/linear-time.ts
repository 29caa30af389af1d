import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Returns the CPU time of a call in milliseconds: that of this process, with its collections of garbage, and without other
 * work on the machine. Garbage of earlier calls is collected before.
 */
async function cpuTime(run: () => unknown): Promise<number> {
  collectGarbage();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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

/** Longest time for 1 MiB of text, or for the whole of a shorter text, in milliseconds. */
export const MAX_TIME = 200;

/** Highest ratio of times when a text becomes four times as long: 3 for each of two doublings. */
const MAX_RATIO = 9;

/** Below this time a ratio says nothing: a collection of garbage takes as long. */
const FLOOR = 10;

/** Largest number of rounds. The shortest times count. */
const ROUNDS = 8;

/**
 * Margin of the longest time, as a factor. CPU time grows too while other processes use the caches and the other half of a
 * core. `LINEAR_SLACK=1` measures without a margin.
 */
const margin = Number(process.env.LINEAR_SLACK ?? 2);

/**
 * Measures a call with a text of `length` bytes and a quarter of it. Returns the shortest times of up to eight rounds.
 * Further rounds run only while the times are too long, because they may include collections of garbage and compilations.
 */
export async function measure(
  run: (text: string) => unknown,
  text: HostileText,
  { length, maxTime }: { readonly length: number; readonly maxTime: number },
): Promise<Times> {
  const [short, long] = [repeated(text, length / 4), repeated(text, length)];
  let times: Times = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await cpuTime(() => run(short)), await cpuTime(() => run(long))];
    times = [Math.min(times[0], a), Math.min(times[1], b)];
    if (isLinear(times, maxTime) || times[1] > 20 * maxTime) break;
  }
  return times;
}

/** Returns the texts by the time of a second call with `length` bytes of them, the slowest first. */
export async function slowestFirst(
  run: (text: string) => unknown,
  texts: readonly HostileText[],
  length: number,
): Promise<readonly HostileText[]> {
  const timed: { readonly text: HostileText; readonly time: number }[] = [];
  for (const text of texts) {
    const whole = repeated(text, length);
    await run(whole);
    timed.push({ text, time: await cpuTime(() => run(whole)) });
  }
  return timed.toSorted((one, other) => other.time - one.time).map(({ text }) => text);
}

/** Returns true if the cost grows in proportion to the length of the text, and the time is not too long. */
export function isLinear([quarter, whole]: Times, maxTime: number): boolean {
  return whole <= maxTime * margin && whole <= MAX_RATIO * Math.max(quarter, FLOOR);
}
