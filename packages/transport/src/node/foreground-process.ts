import { type ChildProcess, spawn } from "node:child_process";
import type { Stream } from "node:stream";
import { MAX_TIMER_MS } from "../grace.js";
import { type ProcessExit, spawnError } from "./process-group.js";
import { windowsCommand } from "./windows-command.js";

type Stdio = "inherit" | "ignore" | number | Stream;

/** How to run a program that a person talks to. */
export type ForegroundOptions = {
  /** The folder of this process unless said otherwise. */
  readonly cwd?: string;
  /** The whole environment; that of this process unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its stdin, stdout and stderr; those of this process unless said otherwise. A stream has to be of an open file. */
  readonly stdio?: readonly [Stdio, Stdio, Stdio];
  /** Ends the program: SIGTERM, and SIGKILL after `graceMs`. */
  readonly signal?: AbortSignal;
  /** In milliseconds; 2 000 unless said otherwise. */
  readonly graceMs?: number;
};

/**
 * Runs a program on the terminal of this process, without a shell, and waits for its exit.
 *
 * It stays in this process's group, as only that may read from the terminal: Ctrl-C reaches both. Read nothing from the
 * same stdin meanwhile. It ends with this process, unless that is killed.
 *
 * @throws SpawnError if it cannot be started; the message says what to do.
 */
export async function runInForeground(
  command: readonly [string, ...string[]],
  options: ForegroundOptions = {},
): Promise<ProcessExit> {
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
        // Later errors are signals that could not be sent.
        if (child.pid === undefined) reject(await spawnError(command[0], cwd, env, cause));
      });
    });
  } finally {
    clearTimeout(timer);
    process.off("exit", kill);
    signal?.removeEventListener("abort", end);
  }
}
