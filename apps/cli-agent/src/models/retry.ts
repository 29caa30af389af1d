import type { ModelError } from "./model-error.js";

/** Time, as far as retries need it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** @throws the signal's reason when it aborts */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1: spreads the retries of many agents that failed at the same moment. */
  random(): number;
}

/** How often and how patiently a provider is asked again. */
export type RetryPolicy = {
  /** Requests in all, the first one included. */
  readonly attempts: number;
  /** Before the second request; doubled for each one after it. */
  readonly firstDelayMs: number;
  /** The longest wait. A provider that wants more than that gets no further request. */
  readonly maxDelayMs: number;
};

/** Five requests within about 30 seconds; where the provider says how long to wait, as long as that, up to two minutes. */
export const usualRetries: RetryPolicy = { attempts: 5, firstDelayMs: 2_000, maxDelayMs: 120_000 };

/**
 * How long to wait before the next request; `undefined` if there should be none.
 *
 * @param failed how many requests failed so far, from 1
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
