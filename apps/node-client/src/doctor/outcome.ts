import { isRpcError, rpcErrorCode } from "@turnkit/client";

/** Result of one step of the examination, with its duration in milliseconds; `late` means no answer in time. */
export type Outcome<T = unknown> =
  | { readonly status: "done"; readonly ms: number; readonly value: T }
  | { readonly status: "failed"; readonly ms: number; readonly error: unknown }
  | { readonly status: "late"; readonly ms: number };

/** Limits of one step: milliseconds (`Infinity` for none), and a signal that ends the wait. */
export type AttemptLimits = { readonly limit: number; readonly signal: AbortSignal };

/** Error of a step that found out by itself that it took too long. */
export class Late extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super("It took too long.");
    this.ms = ms;
  }
}

/**
 * Runs and times one step. Never rejects. Returns `undefined` if the signal fires first: that proves nothing about the
 * agent. Work that exceeds its limit goes on, and its result is dropped.
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

/** Returns the value of a step that succeeded. */
export function resultOf<T>(outcome: Outcome<T> | undefined): T | undefined {
  return outcome?.status === "done" ? outcome.value : undefined;
}

/** Returns the reason for people why a step failed or was late; `undefined` if it did neither. */
export function failureOf(outcome: Outcome | undefined): string | undefined {
  if (outcome?.status === "late") return `nothing came within ${seconds(outcome.ms)}`;
  if (outcome?.status !== "failed") return undefined;
  const { error } = outcome;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  return typeof code === "number" ? `${message} (code ${code})` : message;
}

/** Returns whether the agent refused a step until somebody logs in. */
export function wantsLogin(outcome: Outcome | undefined): boolean {
  return outcome?.status === "failed" && isRpcError(outcome.error, rpcErrorCode.authRequired);
}

/** Formats a duration for people. */
export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
