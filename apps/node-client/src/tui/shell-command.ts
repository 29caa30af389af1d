import { basename } from "node:path";
import { createLocalTerminalHost } from "@turnkit/client/node";
import type { TerminalState } from "@turnkit/session";

/** Command that the person runs with `!`. */
export interface ShellCommand {
  /** Current output and end of the command. */
  readonly state: TerminalState;
  /** Settles when the command has ended and its output is complete. */
  readonly ended: Promise<void>;
  /** Ends the command and every process that it has started. */
  end(): Promise<void>;
}

/** Maximum size of the stored output in bytes. The newest output is stored. */
const MAX_OUTPUT = 256 * 1024;

/**
 * Runs a command line in the person's shell, without a terminal and with empty input. `changed` is called for new
 * output.
 */
export async function runShellCommand(
  line: string,
  { env, directory, changed }: { env: NodeJS.ProcessEnv; directory: string; changed: () => void },
): Promise<ShellCommand> {
  const host = createLocalTerminalHost({ maxOutputBytes: MAX_OUTPUT, env });
  const place = { sessionId: "", cwd: directory, roots: [directory], signal: new AbortController().signal };
  const terminal = await host.create(commandOf(line, env), place);
  terminal.onData(changed);
  const read = (): TerminalState => {
    const { output: text, truncated, exitStatus } = terminal.output();
    return {
      ...{ terminalId: "", command: line, text, textBytes: text.length, pendingBytes: [] },
      ...{ droppedBytes: truncated ? 1 : 0, exitStatus: exitStatus ?? undefined },
    };
  };
  let last: TerminalState | undefined;
  return {
    get state() {
      return last ?? read();
    },
    ended: terminal.exited.then(async () => {
      last = read();
      await terminal.release();
    }),
    end: async () => terminal.kill(),
  };
}

/** Shells in which stdout and stderr can share one pipe, so that their order is exact. */
const POSIX_SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);

function commandOf(line: string, { SHELL, ComSpec }: NodeJS.ProcessEnv) {
  if (process.platform === "win32") return { command: ComSpec || "cmd.exe", args: ["/d", "/s", "/c", line] };
  const shell = SHELL?.startsWith("/") ? SHELL : "/bin/sh";
  // After the line break, the shell redirects before it parses the command.
  return { command: shell, args: ["-c", POSIX_SHELLS.has(basename(shell)) ? `exec 2>&1\n${line}` : line] };
}
