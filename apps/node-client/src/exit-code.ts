import type { StopReason } from "@turnkit/session";

/** Exit codes of the process. The README repeats this table. */
export const exitCode = {
  ended: 0,
  /** The agent did not start, died, broke the protocol or answered with an error; or the output cannot be written. */
  failed: 1,
  /** The command line is invalid, or names a file that is missing or cannot be read. */
  usage: 2,
  /** The turn ended early: the agent refused, or a limit of tokens or requests was reached. */
  stopped: 3,
  /** The agent wants a login, and there is no person to log in. */
  login: 4,
  complaints: 5,
  timeout: 124,
  /** Ctrl-C, or the agent reports the turn as cancelled. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const shorts: Readonly<Record<keyof typeof exitCode, string>> = {
  ended: "ended",
  failed: "the agent or the protocol failed",
  usage: "wrong usage",
  stopped: "refused or a limit reached",
  login: "a login is needed",
  complaints: "the doctor complains",
  timeout: "--timeout was over",
  cancelled: "cancelled",
};

/** Codes with a few words each, for the help. */
export const exitCodeTable = (Object.keys(shorts) as (keyof typeof exitCode)[]).map((name) => ({
  code: exitCode[name],
  short: shorts[name],
}));

// Not `rpcErrorCode` of the client: the help needs this file, and loads nothing else.
const AUTH_REQUIRED = -32000;

/** End of a turn, for its exit code. */
export type Ending = { readonly stopReason?: StopReason; readonly error?: { readonly code: number } };

/**
 * Returns the code for the end of a turn. An extension reason (`_…`) and a reason of a later protocol count as ended.
 */
export function exitCodeOf(ending: Ending): ExitCode {
  if (ending.error !== undefined) return ending.error.code === AUTH_REQUIRED ? exitCode.login : exitCode.failed;
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

/** Mistake of the user, described in one sentence; ends the program with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
