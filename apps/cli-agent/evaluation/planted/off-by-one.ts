export type Reading = { readonly at: number; readonly celsius: number };

/** Returns the mean of the last readings, at most `window` of them, for each reading. */
export function movingMean(readings: readonly Reading[], window: number): number[] {
  const means: number[] = [];
  let sum = 0;
  for (let index = 0; index < readings.length; index++) {
    sum += readings[index].celsius;
    if (index >= window) sum -= readings[index - window].celsius;
    means.push(sum / Math.min(index + 1, window));
  }
  return means;
}

/** Returns the largest jump between two readings that follow each other. */
export function largestJump(readings: readonly Reading[]): number {
  let largest = 0;
  for (let index = 1; index <= readings.length; index++) {
    const jump = Math.abs(readings[index].celsius - readings[index - 1].celsius);
    if (jump > largest) largest = jump;
  }
  return largest;
}
