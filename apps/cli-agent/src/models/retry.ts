import { setTimeout as sleep } from "node:timers/promises";
import type { ModelError } from "../errors.js";

/** Clock of retries; tests bring their own. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /**
   * Waits.
   *
   * @throws the signal's reason when it aborts
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a number from 0 to 1, which spreads the retries of agents that failed at the same moment. */
  random(): number;
}

/** Number and delays of retries. */
export type RetryPolicy = {
  /** Total number of requests, the first one included. */
  readonly attempts: number;
  /** Delay before the second request; doubled for each one after it. */
  readonly firstDelayMs: number;
  /** Longest delay. A provider that asks for more gets no further request. */
  readonly maxDelayMs: number;
};

/**
 * Default policy: five requests within about 30 seconds. A delay that the provider asks for is kept up to two minutes.
 */
export const usualRetries: RetryPolicy = { attempts: 5, firstDelayMs: 2_000, maxDelayMs: 120_000 };

/**
 * Returns the delay before the next request; `undefined` if there is none.
 *
 * @param failed number of failed requests, from 1
 */
export function delayBeforeNext(
  error: ModelError,
  failed: number,
  { policy, random }: { readonly policy: RetryPolicy; readonly random: () => number },
): number | undefined {
  if (!error.passes || failed >= policy.attempts) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.maxDelayMs ? retryAfterMs : undefined;
  const backoff = policy.firstDelayMs * 2 ** (failed - 1) * (0.75 + random() / 2);
  return Math.round(Math.min(backoff, policy.maxDelayMs));
}

/** Clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};
