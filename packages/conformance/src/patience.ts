/** Number of parts of a time limit. */
const TICKS = 10;

/**
 * Calls back once when the program has waited for `ms` milliseconds. If the system stopped the program in the meantime,
 * the program did not wait, so the limit is counted in ten short timers. Returns a function that cancels the call.
 */
export function afterPatience(ms: number, call: () => void): () => void {
  let left = TICKS;
  let timer: ReturnType<typeof setTimeout>;
  const tick = () => {
    left -= 1;
    if (left < 0) call();
    else timer = setTimeout(tick, ms / TICKS);
  };
  timer = setTimeout(tick, 0);
  return () => clearTimeout(timer);
}

/** Returns `true` if a promise settles within `ms` milliseconds. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = afterPatience(ms, () => resolve(false));
    const settle = () => {
      stop();
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
