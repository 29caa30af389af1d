import { ExpectationError } from "../expectation-error.js";

/** Default time limit, in milliseconds. It covers a tree that gets SIGTERM before SIGKILL. */
const usualMs = 10_000;

/** Interval of polls, in milliseconds. A process of another parent sends no event at its end. */
const LOOK_MS = 10;

/** Returns true if a process of that id exists. A zombie counts, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Waits for the end of a process of another parent, for example of the grandchild that a killed agent must not leave.
 *
 * @param withinMs time limit in milliseconds; 10 s by default
 * @throws ExpectationError `timeout` if it lives longer; `script` for an invalid id, such as `NaN`
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
