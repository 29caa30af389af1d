import type { ChildProcess } from "node:child_process";
import type { ProcessGroup } from "@turnkit/transport/node";

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const KILL_MS = 500;

/** Longest wait for the last output of a program that has ended, in milliseconds. */
const OUTPUT_MS = 300;

/** Settles when the output of a child has ended, or after 300 ms: a daemon of the child may keep the output open. */
export async function outputEnded({ stdout, stderr }: ChildProcess): Promise<void> {
  const ends = [stdout, stderr].map(
    (stream) => stream && !stream.closed && new Promise<void>((resolve) => void stream.once("close", resolve)),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, OUTPUT_MS);
  });
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
}

/**
 * Ends a program with the processes that it started, and closes its output. An open output of a daemon would keep the
 * runner alive.
 */
export async function endProgram(group: ProcessGroup): Promise<void> {
  await group.terminate(KILL_MS);
  const { stdin, stdout, stderr } = group.child;
  await outputEnded(group.child);
  for (const stream of [stdin, stdout, stderr]) stream?.destroy();
}
