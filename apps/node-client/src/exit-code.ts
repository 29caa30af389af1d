import type { StopReason } from "@turnkit/session";

/** Exit codes of the process. The README contains the same table. */
export const exitCode = {
  ended: 0,
  /**
   * The run failed:
   * - the agent did not start, died, broke the protocol or answered with an error;
   * - the output could not be written.
   */
  failed: 1,
  /** The command line is invalid, a file of it cannot be read, or the agent does not offer what it names. */
  usage: 2,
  /** The turn ended early, because the agent refused or a limit of tokens or requests was reached. */
  stopped: 3,
  /** The agent requires a login, and there is no person who could log in. */
  login: 4,
  complaints: 5,
  /** The turn ended, but a permission was denied, or nobody could answer the question. */
  denied: 6,
  timeout: 124,
  /** The user pressed Ctrl-C, or the agent reports the turn as cancelled. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const shorts: Readonly<Record<keyof typeof exitCode, string>> = {
  ended: "The turn ended, or the command succeeded.",
  failed: "The agent or the connection failed, or output was lost.",
  usage: "The command line is wrong, or names what does not exist.",
  stopped: "The agent refused, or reached a limit of tokens or requests.",
  login: "The agent requires a login that is not possible here.",
  complaints: "The doctor found a problem.",
  denied: "The turn ended, but a permission was denied.",
  timeout: "The time of --timeout was over.",
  cancelled: "Cancelled, by Ctrl-C, a signal, a closed output or the agent.",
};

/** Exit codes with short descriptions, for the help. */
export const exitCodeTable = (Object.keys(shorts) as (keyof typeof exitCode)[]).map((name) => ({
  code: exitCode[name],
  short: shorts[name],
}));

// `rpcErrorCode` of the client is not used, because the help would then load the client.
const AUTH_REQUIRED = -32000;

/** End of a turn from which the exit code follows. */
export type Ending = { readonly stopReason?: StopReason; readonly error?: { readonly code: number } };

/**
 * Returns the exit code for the end of a turn. An extension's stop reason (`_…`) and an unknown stop reason count as an
 * ordinary end.
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

/** Mistake of the user, described in one sentence. The program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
