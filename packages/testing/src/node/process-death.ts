import { ExpectationError } from "../expectation-error.js";

/** How long the dead may take, in milliseconds, unless told otherwise: a tree that is asked before it is killed. */
const usualMs = 10_000;

/** How often is looked, in milliseconds: nothing tells of the end of a process that this one did not start. */
const LOOK_MS = 10;

/** Whether a process of that id exists. One that its parent has not taken note of yet (a zombie) does. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Settles when a process that somebody else started is gone: the grandchild that a killed agent leaves, or must not.
 *
 * @throws ExpectationError `timeout` if it still lives after `withinMs` (10 s unless told otherwise); `script` for what
 * is no process id, such as one that was not found in an output
 */
export async function processDeath(pid: number, withinMs = usualMs): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 0) {
    throw new ExpectationError("script", `There is no process ${pid} to wait for: give the id of one process.`);
  }
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) {
      throw new ExpectationError("timeout", `Process ${pid} still lives after ${withinMs} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
