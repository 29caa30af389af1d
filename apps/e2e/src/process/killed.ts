import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Kills a child process without a chance to write, unless it has ended. Settles when it has ended. */
export async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || !isRunning(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Returns true until the process has ended. */
export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
