import type { CloseReason, Diagnostic, Peer, TurnEnd } from "@turnkit/client";

/** A message on the wire, at the time since the agent was started, in milliseconds. */
export type Frame = { readonly ms: number; readonly way: "sent" | "received"; readonly message: unknown };

/** What came of something that the doctor tried: `late` where nothing came in time. */
export type Outcome<T = unknown> =
  | { readonly status: "done"; readonly ms: number; readonly value: T }
  | { readonly status: "failed"; readonly ms: number; readonly error: unknown }
  | { readonly status: "late"; readonly ms: number };

/** How a turn went that was asked for. */
export type TurnReport = Outcome<TurnEnd> & {
  /** How many updates came in it. */
  readonly updates: number;
  /** Tool calls that had no final status when it ended. */
  readonly unfinished: readonly string[];
};

/** Everything that the doctor saw. What is absent was not tried. */
export type Evidence = {
  /** It was ended from outside, before everything was tried. */
  readonly interrupted?: boolean;
  /** At most 20 000, the first ones. */
  readonly frames: readonly Frame[];
  /** Lines on stdout that are no JSON; at most 100. */
  readonly noise: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Until both sides agreed on a version. */
  readonly start?: Outcome<Peer>;
  /** A request and a notification of a method that nobody has. */
  readonly unknownMethod?: Outcome;
  /** How many sessions were listed. */
  readonly list?: Outcome<number>;
  readonly newSession?: Outcome;
  readonly turn?: TurnReport;
  /** A turn that was cancelled at its first sign of life, and how long it went on; absent where it had ended before. */
  readonly cancel?: TurnReport & { readonly afterCancelMs?: number };
  /** Whether a session that does not exist was brought back. */
  readonly restoreUnknown?: Outcome<boolean>;
  readonly closeSession?: Outcome;
  /** Updates that no version of the protocol knows, or that could not be read; at most 100. */
  readonly unknownUpdates: readonly string[];
  /** What the state had to absorb. */
  readonly anomalies: readonly string[];
  /** The end of the process, after its stdin was closed. */
  readonly exit?: Outcome<CloseReason>;
};

/** The value of something that went well. */
export function resultOf<T>(outcome: Outcome<T> | undefined): T | undefined {
  return outcome?.status === "done" ? outcome.value : undefined;
}

/** What something failed with, for people. */
export function failureOf(outcome: Outcome | undefined): string | undefined {
  if (outcome?.status === "late") return `nothing came within ${seconds(outcome.ms)}`;
  if (outcome?.status !== "failed") return undefined;
  const { error } = outcome;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  return typeof code === "number" ? `${message} (code ${code})` : message;
}

/** A time for people. */
export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
