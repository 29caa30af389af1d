import { ExpectationError } from "../expectation-error.js";

/** Default time limit, in milliseconds. It is long enough for processes that get SIGTERM first and SIGKILL later. */
const usualMs = 10_000;

/**
 * Time between two checks, in milliseconds. The system reports only the end of child processes, so other processes are
 * polled.
 */
const LOOK_MS = 10;

/** Returns true if a process with that id exists. A zombie process also exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Waits for the end of a process that another process started. For example, the grandchild of a killed agent must end too.
 *
 * @param withinMs time limit in milliseconds; 10 s by default
 * @throws ExpectationError `timeout` if the process still exists after `withinMs`
 * @throws ExpectationError `script` for an invalid id, such as `NaN`
 */
export async function processDeath(pid: number, withinMs = usualMs): Promise<void> {
  if (!Number.isInteger(pid) || pid <= 0) {
    throw new ExpectationError("script", `${pid} is not the id of a process. Pass the id of one process.`);
  }
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) {
      throw new ExpectationError("timeout", `Process ${pid} still exists after ${withinMs} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
