import type { Diagnostic } from "@turnkit/transport";

/** Errors whose cause the runtime has reported, so that the failed prompt needs no further report. */
export const reportedErrors = /* @__PURE__ */ new WeakSet<Error>();

/**
 * Returns the result of a handler.
 *
 * @throws the result if it is an `Error`. A handler that returns an error reports a failure, and a success would hide it
 * @throws TypeError for a generator, because its body is the work of the handler and has not run
 */
export function unlessError<R>(result: R): R {
  if (result instanceof Error) throw result;
  if (/Generator\]$/.test(Object.prototype.toString.call(result))) {
    throw new TypeError("A handler returned a generator, whose body never runs. Pass it to turn.say.");
  }
  return result;
}

/** Reports a result that looks like a refusal. Only handlers in JavaScript return such a result. */
export function mustNotRefuse(handler: string, result: unknown, report: (diagnostic: Diagnostic) => void): void {
  if (unlessError(result) !== false) return;
  const message = `The handler ${handler} returned false, and the client got a success. Throw to refuse.`;
  report({ code: "handler_failed", message });
}
