import vm from "node:vm";

/** End of a computation that took too long. */
export class TimeoutError extends Error {}

const script = new vm.Script("work()");
const globals: { work?: () => unknown } = {};
const context = vm.createContext(globals);

/**
 * Runs a synchronous computation, and ends it after a time. For work on foreign input whose cost has no other bound:
 * regular expressions, parsers. Nothing of the computation runs afterwards, not even its `finally` blocks.
 *
 * @param ms time limit in milliseconds
 * @throws TimeoutError when the time is over, or an error of the computation
 */
export function withinTime<Result>(ms: number, work: () => Result): Result {
  globals.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as Result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TimeoutError(`No result within ${ms} ms.`);
  } finally {
    globals.work = undefined;
  }
}
