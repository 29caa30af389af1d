/** Longest time that a timer can wait, in milliseconds. Timers fire at once for longer times. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for `work`, but at most `graceMs` milliseconds. Above {@link MAX_TIMER_MS} there is no limit. Resolves to `false`
 * if `work` did not settle in time; its later outcome is ignored. Rejects if `work` rejects in time.
 */
export function withinGrace(work: Promise<unknown>, graceMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = graceMs > MAX_TIMER_MS ? undefined : setTimeout(resolve, graceMs, false);
    const stop = (): void => clearTimeout(timer);
    work.then(stop, stop);
    work.then(() => resolve(true), reject);
  });
}
