import type { Diagnostic } from "./connection.js";
import { textOf } from "./errors.js";

/** Codes for mistakes of the program that uses the library. Without `onDiagnostic` they are printed. */
const PRINTED: ReadonlySet<Diagnostic["code"]> = new Set([
  "handler_failed",
  "notification_failed",
  "listener_failed",
  "unused_option",
  "unanswered",
  "unfinished",
  "late_change",
]);

/** Maximum number of messages that one connection prints. */
const MAX_PRINTED = 100;

/**
 * Returns the function that reports diagnostics: to the hook, or to the console if there is no hook. The console gets
 * only mistakes of the program, with their stack, and each message once. The function never throws.
 */
export function reporter(hook: ((diagnostic: Diagnostic) => void) | undefined): (diagnostic: Diagnostic) => void {
  let printed: Set<string> | undefined;
  const print = ({ code, message, error }: Diagnostic): void => {
    if (!PRINTED.has(code)) return;
    printed ??= new Set();
    if (printed.has(message) || printed.size === MAX_PRINTED) return;
    printed.add(message);
    // biome-ignore lint/suspicious/noConsole: an error that reaches nobody is worse than a line on stderr
    console.error(...[`turnkit: ${message}`, ...(error === undefined ? [] : [error])]);
  };
  return (diagnostic) => {
    try {
      if (hook === undefined) print(diagnostic);
      else hook(diagnostic);
    } catch (error) {
      print({ code: "listener_failed", message: `onDiagnostic failed: ${textOf(error)}`, error });
    }
  };
}
