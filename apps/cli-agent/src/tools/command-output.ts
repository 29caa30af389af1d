import type { TerminalExit } from "@turnkit/agent";

export function describeExit({ exitCode, signal }: TerminalExit): string {
  return signal ? `It was ended by ${signal}.` : `Exit code ${exitCode ?? "unknown"}.`;
}

/**
 * Returns the output of a command as a person sees it in the end. Programs write a progress bar again and again into the
 * same line, with a carriage return before it. Only the last state of such a line is returned.
 */
export function settledOutput(output: string): string {
  if (!output.includes("\r")) return output;
  return output.split("\n").map(lastState).join("\n");
}

function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
