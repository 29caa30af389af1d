import { resolve } from "node:path";
import { parseInvocation } from "./command-line.js";
import { exitCode, UsageError } from "./exit-code.js";
import { unlessAborted } from "./interrupts.js";
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

/** Runs the command line and returns the exit code. */
async function main(argv: readonly string[], streams: ProgramStreams): Promise<number> {
  const invocation = parseInvocation(argv);
  const { stdout, env, interrupts } = streams;
  switch (invocation.kind) {
    case "print":
      stdout.write(invocation.text);
      return exitCode.ended;
    case "run":
      return run(invocation, streams);
    case "agents": {
      const { listAgents } = await import("./agents/list-agents.js");
      await unlessAborted(listAgents(invocation.json, env, stdout), interrupts.cancel);
      return exitCode.ended;
    }
    case "setup": {
      const { setUpAgent } = await import("./agents/set-up-agent.js");
      return setUpAgent(invocation, streams);
    }
    case "sessions list":
    case "sessions show":
    case "sessions delete": {
      const { manageSessions } = await import("./sessions/manage-sessions.js");
      return manageSessions(invocation, streams);
    }
    case "permissions list":
    case "permissions revoke":
    case "permissions clear": {
      const { managePermissions } = await import("./manage-permissions.js");
      return unlessAborted(managePermissions(invocation, streams), interrupts.cancel);
    }
    case "mcp list":
    case "mcp add":
    case "mcp remove":
    case "mcp trust":
    case "mcp distrust": {
      const { manageMcp } = await import("./mcp/manage-mcp.js");
      return unlessAborted(manageMcp(invocation, streams), interrupts.cancel);
    }
    case "trace show": {
      const { showTrace } = await import("./trace/show-trace.js");
      await unlessAborted(
        showTrace(resolve(invocation.file), { ...streams, full: invocation.full }),
        interrupts.cancel,
      );
      return exitCode.ended;
    }
    case "trace replay": {
      const { replayTrace } = await import("./trace/replay-trace.js");
      return replayTrace(resolve(invocation.file), streams);
    }
    case "serve": {
      const { serveSessions } = await import("./serve/serve-sessions.js");
      return serveSessions(invocation, streams);
    }
    case "doctor": {
      const { runDoctor } = await import("./doctor/run-doctor.js");
      return runDoctor(invocation, streams);
    }
  }
}

async function run(invocation: RunInvocation, streams: ProgramStreams): Promise<number> {
  if (isInteractive(invocation, streams)) {
    if (invocation.timeoutMs !== undefined) throw new UsageError("--timeout is for one prompt, but there is none.");
    const { runInteractive } = await import("./tui/run-interactive.js");
    return runInteractive(invocation, streams);
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
