/** The longest that a timer can wait: it would take more for one millisecond. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Settles as `work` does, or after so long without it. What becomes of it then concerns nobody. */
export async function withinGrace(work: Promise<void>, graceMs: number): Promise<void> {
  if (graceMs > MAX_TIMER_MS) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
