import { type ChildProcess, spawn } from "node:child_process";
import type { Stream } from "node:stream";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { MAX_TIMER_MS } from "../waiting.js";
import type { ProgramOptions } from "./child-environment.js";
import { type ProcessExit, spawnError } from "./process-group.js";
import { windowsCommand } from "./windows-command.js";

type Stdio = "inherit" | "ignore" | number | Stream;

/** Options of a program on the terminal of this process. */
export type ForegroundOptions = ProgramOptions & {
  /**
   * Stdin, stdout and stderr of the program. A stream must belong to an open file.
   *
   * @defaultValue stdin, stdout and stderr of this process
   */
  readonly stdio?: readonly [Stdio, Stdio, Stdio];
  /** When the signal aborts, the program gets SIGTERM, and SIGKILL after `graceMs`. */
  readonly signal?: AbortSignal;
  /**
   * Time between SIGTERM and SIGKILL, in milliseconds.
   *
   * @defaultValue 2 000
   */
  readonly graceMs?: number;
};

const NAMES: OptionTypes<ForegroundOptions> = {
  ...{ cwd: "string", env: "any", stdio: "any", signal: "any", graceMs: "number" },
};

/**
 * Runs a program on the terminal of this process, without a shell, and waits until it exits.
 *
 * The program stays in the process group of this process, because only this group may read from the terminal. Ctrl-C
 * reaches both processes. Do not read from the same stdin while the program runs. If this process exits, the program is
 * ended too. If this process is killed, the program may continue to run.
 *
 * @throws SpawnError if the program cannot be started. The message contains a remedy.
 */
export async function runInForeground(
  command: readonly [string, ...string[]],
  options: ForegroundOptions = {},
): Promise<ProcessExit> {
  checkOptions("runInForeground", options, NAMES);
  const { cwd, env = process.env, stdio = ["inherit", "inherit", "inherit"], signal, graceMs = 2000 } = options;
  const { file, args, verbatim } = windowsCommand(command, env);
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      ...(cwd !== undefined && { cwd }),
      env: env as NodeJS.ProcessEnv,
      stdio: [...stdio],
      windowsVerbatimArguments: verbatim,
    });
  } catch (cause) {
    throw await spawnError(command[0], cwd, env, cause as NodeJS.ErrnoException);
  }
  let timer: NodeJS.Timeout | undefined;
  const kill = () => void child.kill();
  const end = () => {
    kill();
    timer = setTimeout(() => child.kill("SIGKILL"), Math.min(graceMs, MAX_TIMER_MS));
  };
  process.once("exit", kill);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    return await new Promise<ProcessExit>((resolve, reject) => {
      child.once("exit", (exitCode, killedBy) => resolve({ exitCode, signal: killedBy }));
      child.on("error", async (cause) => {
        // After the start, an error event means that a signal could not be sent.
        if (child.pid === undefined) reject(await spawnError(command[0], cwd, env, cause));
      });
    });
  } finally {
    clearTimeout(timer);
    process.off("exit", kill);
    signal?.removeEventListener("abort", end);
  }
}
