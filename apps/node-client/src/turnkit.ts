import { parseInvocation } from "./command-line.js";
import { exitCode, UsageError } from "./exit-code.js";
import type { RunInvocation } from "./invocation.js";
import { type ProgramStreams, runProgram } from "./program.js";

/**
 * Runs `turnkit` with the words of a command line. The process exits afterwards.
 *
 * @param argv words after the name of the program
 */
export function runTurnkit(argv: readonly string[]): Promise<never> {
  return runProgram((streams) => main(argv, streams));
}

async function main(argv: readonly string[], streams: ProgramStreams): Promise<number> {
  const invocation = parseInvocation(argv);
  switch (invocation.kind) {
    case "print":
      streams.stdout.write(invocation.text);
      return exitCode.ended;
    case "run":
      return run(invocation, streams);
    case "serve": {
      const { serveSessions } = await import("./serve/serve-sessions.js");
      return serveSessions(invocation, streams);
    }
    case "setup":
    case "doctor":
    case "trace replay":
    case "sessions list":
    case "sessions show":
    case "sessions delete": {
      const { runAgentCommand } = await import("./agent-commands.js");
      return runAgentCommand(invocation, streams);
    }
    default: {
      const { runLocalCommand } = await import("./local-commands.js");
      return runLocalCommand(invocation, streams);
    }
  }
}

async function run(invocation: RunInvocation, streams: ProgramStreams): Promise<number> {
  if (isInteractive(invocation, streams)) {
    if (invocation.timeoutMs !== undefined) throw new UsageError("--timeout is for one prompt, but there is none.");
    const { runInteractive } = await import("./tui/run-interactive.js");
    return runInteractive(invocation, streams);
  }
  if (isInteractive(invocation, { ...streams, env: {} })) {
    throw new UsageError('TERM is "dumb", so no conversation can be shown. Give a prompt, as in turnkit "Hello".');
  }
  const { runOnce } = await import("./run-once.js");
  return runOnce(invocation, streams);
}

/**
 * Returns `true` if the interactive client starts. The command line then has no prompt, and both ends are terminals.
 */
function isInteractive(
  { words, prompt, files, output = "text" }: RunInvocation,
  { stdin, stdout, env }: ProgramStreams,
): boolean {
  const hasTerminal = stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb";
  return hasTerminal && words.length === 0 && prompt === undefined && files.length === 0 && output === "text";
}
