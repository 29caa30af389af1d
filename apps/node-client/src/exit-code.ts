import type { StopReason } from "@turnkit/session";

/** Exit codes of the process. The help and the README describe them. */
export const exitCode = {
  ...{ ended: 0, failed: 1, usage: 2, stopped: 3, login: 4, complaints: 5, denied: 6, timeout: 124, cancelled: 130 },
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

export const exitCodeTable = (Object.keys(shorts) as (keyof typeof exitCode)[]).map((name) => ({
  code: exitCode[name],
  short: shorts[name],
}));

/** Code of an agent that requires a login. It is not taken from the client, because the help would then load the client. */
export const AUTH_REQUIRED = -32000;

export type TurnEnd = { readonly stopReason?: StopReason; readonly error?: { readonly code: number } };

/**
 * Returns the exit code for the end of a turn. An extension's stop reason (`_…`) and an unknown stop reason count as an
 * ordinary end.
 */
export function exitCodeOf(ending: TurnEnd): ExitCode {
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
