/** The longest that a timer can wait, in milliseconds: it would take more for one. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for `work`, but no longer than `graceMs` milliseconds, or without a limit where that is more than a timer can
 * wait: `false` when it did not settle in time. What becomes of it after that concerns nobody. Rejects as `work` does.
 */
export function withinGrace(work: Promise<unknown>, graceMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = graceMs > MAX_TIMER_MS ? undefined : setTimeout(resolve, graceMs, false);
    const stop = (): void => clearTimeout(timer);
    work.then(stop, stop);
    work.then(() => resolve(true), reject);
  });
}
