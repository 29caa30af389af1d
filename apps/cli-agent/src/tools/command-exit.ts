import type { TerminalExit } from "@turnkit/agent";

export function describeExit({ exitCode, signal }: TerminalExit): string {
  return signal ? `It was ended by ${signal}.` : `Exit code ${exitCode ?? "unknown"}.`;
}
