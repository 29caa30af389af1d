import type { StopReason } from "@turnkit/session";

/** What the process says when it ends. The README repeats this table. */
export const exitCode = {
  /** The turn ended by itself. */
  ended: 0,
  /** The agent did not start, died, broke the protocol or answered with an error. */
  failed: 1,
  /** The command line makes no sense, or names a file that is not there. */
  usage: 2,
  /** The turn ended early: the agent refused, or a limit of tokens or requests was reached. */
  stopped: 3,
  /** Ctrl-C, or the agent reports the turn as cancelled. */
  cancelled: 130,
} as const;

/** One of the codes in {@link exitCode}. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** How a turn ended, as far as an exit code cares. */
export type Ending = { readonly stopReason?: StopReason; readonly error?: object };

/** The code for the end of a turn. A reason of the agent's own (`_…`) or of a later protocol counts as ended. */
export function exitCodeOf(ending: Ending): ExitCode {
  if (ending.error !== undefined) return exitCode.failed;
  switch (ending.stopReason) {
    case "error":
      return exitCode.failed;
    case "refusal":
    case "max_tokens":
    case "max_turn_requests":
      return exitCode.stopped;
    case "cancelled":
      return exitCode.cancelled;
    default:
      return exitCode.ended;
  }
}
