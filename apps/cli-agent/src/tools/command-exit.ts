import type { TerminalExit } from "@turnkit/agent";

/** Returns a sentence about the exit of a command. */
export function describeExit({ exitCode, signal }: TerminalExit): string {
  return signal ? `It was ended by ${signal}.` : `Exit code ${exitCode ?? "unknown"}.`;
}
