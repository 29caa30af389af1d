/** Returns the CPU time of a call in milliseconds. Other work on the machine does not count. */
function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns a text of that length that repeats a piece behind a head. */
function repeated({ head = "", piece }: HostileText, length: number): string {
  return (head + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);
}

/** A text that makes an algorithm slow. The piece is repeated behind the head. */
export type HostileText = { readonly head?: string; readonly piece: string };

/** CPU times in milliseconds for a quarter, a half and the whole of a length. */
export type Times = readonly [quarter: number, half: number, whole: number];

/** Below this time a ratio says nothing: a collection of garbage takes as long. */
const floor = 10;

/** Longest time for 1 MiB of text, in milliseconds. */
const maxTime = 200;

/** Highest ratio of times when a text becomes twice as long, as the mean of two doublings. */
const maxRatio = 3;

/**
 * Measures a call with a text of `length`, its half and its quarter. Times are the least of some rounds. Further rounds
 * run only while the times are not good enough, because garbage collections and compilations count too.
 */
export function measure(run: (text: string) => unknown, text: HostileText, length: number): Times {
  const texts = [length / 4, length / 2, length].map((part) => repeated(text, part));
  let times: Times = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 6; round++) {
    const [a = 0, b = 0, c = 0] = texts.map((one) => cpuTime(() => run(one)));
    times = [Math.min(times[0], a), Math.min(times[1], b), Math.min(times[2], c)];
    if (isLinear(times) || times[2] > 20 * maxTime) break;
  }
  return times;
}

/** Returns the texts by the time of a call with `length` characters of them, and by its growth from half of that. */
export function slowestFirst(
  run: (text: string) => unknown,
  texts: readonly HostileText[],
  length: number,
): readonly HostileText[] {
  const timed = texts.map((text) => {
    const [half, whole] = [length / 2, length].map((part) => repeated(text, part));
    const least = (one = "") =>
      Math.min(
        cpuTime(() => run(one)),
        cpuTime(() => run(one)),
      );
    const [short, long] = [least(half), least(whole)];
    // A cost that grows by the square is worst at full length, even if it is small here.
    return { text, cost: long * Math.max(1, long / Math.max(short, 0.1) / 2) };
  });
  return timed.toSorted((one, other) => other.cost - one.cost).map(({ text }) => text);
}

/**
 * Factor by which other work on the machine may slow a call down. A call that grows by the square is slower by far more.
 * `LINEAR_SLACK=1` measures the bar itself, on a quiet machine.
 */
const slack = Number(process.env.LINEAR_SLACK ?? 5);

/** Returns true for times of an algorithm whose cost grows with the length of its text, and that keeps the bar. */
export function isLinear([quarter, , whole]: Times): boolean {
  return whole <= maxTime * slack && whole <= maxRatio ** 2 * Math.max(quarter, floor * slack);
}
