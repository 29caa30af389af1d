import vm from "node:vm";

export class TimeoutError extends Error {}

const script = new vm.Script("work()");
const globals: { work?: () => unknown } = {};
const context = vm.createContext(globals);

/**
 * Runs a synchronous computation and stops it at a time limit. Use it for foreign input that can take unlimited time,
 * such as regular expressions and documents to parse. After the limit no code of the computation runs, not even its
 * `finally` blocks.
 *
 * @param ms time limit in milliseconds
 * @throws TimeoutError at the time limit; otherwise the error of the computation
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
