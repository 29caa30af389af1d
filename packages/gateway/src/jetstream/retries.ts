import { isSessionLogError } from "@turnkit/agent";
import type { Clock } from "./store.js";
import { isStoreFault } from "./store.js";

/**
 * Time for which a failed request is repeated, in milliseconds. After the death of one of three servers, a stream has no leader for
 * about ten seconds.
 */
const PATIENCE_MS = 30_000;

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** Waits, in milliseconds. */
export const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

/** Returns the pause before the next attempt, in milliseconds. `failures` counts from 1. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));

/** Repeats a request that changes nothing, such as a read, until it succeeds or its time is over. */
export async function patiently<T>(clock: Clock, request: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const until = clock.now() + patienceMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      const isKnown = isStoreFault(error, "final") || isStoreFault(error, "refused") || isSessionLogError(error);
      if (isKnown || clock.now() >= until) throw error;
    }
    await pause(clock, pauseAfter(failures));
  }
}
