import type { Outcome } from "./evidence.js";

/** How long something may take, in milliseconds (`Infinity` for no limit), and what ends the wait before that. */
export type AttemptLimits = { readonly limit: number; readonly signal: AbortSignal };

/** What was tried took longer than it may. */
export class Late extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super("It took too long.");
    this.ms = ms;
  }
}

/**
 * Tries something and measures it; `undefined` where the signal fired first, which tells nothing of the agent. Never
 * rejects. What goes on after its limit goes on, and nobody hears of it.
 */
export function attempt<T>(work: () => Promise<T>, { limit, signal }: AttemptLimits): Promise<Outcome<T> | undefined> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  if (signal.aborted) return Promise.resolve(undefined);
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const late = new Promise<Outcome<T> | undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (Number.isFinite(limit)) timer = setTimeout(() => resolve({ status: "late", ms: passed() }), limit);
    signal.addEventListener("abort", stop, { once: true });
  });
  const done = work().then(
    (value): Outcome<T> => ({ status: "done", ms: passed(), value }),
    (error: unknown): Outcome<T> =>
      error instanceof Late ? { status: "late", ms: error.ms } : { status: "failed", ms: passed(), error },
  );
  return Promise.race([done, late]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
