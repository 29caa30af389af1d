import type { Diagnostic } from "./connection.js";
import { textOf } from "./errors.js";

/** Codes of mistakes in the program that uses the library. Without `onDiagnostic`, these diagnostics are printed. */
const PRINTED: ReadonlySet<Diagnostic["code"]> = new Set([
  "handler_failed",
  "notification_failed",
  "listener_failed",
  "unused_option",
  "withheld_variable",
  "agent_report",
  "unanswered",
  "unfinished",
  "late_change",
  "listener_stuck",
  "log_failed",
]);

/** Maximum number of messages that one connection prints. */
const MAX_PRINTED = 100;

/** Maximum length of a printed message, and of its stack, in characters. Both may contain text of a peer. */
const MAX_MESSAGE = 500;
const MAX_STACK = 4_000;

/** Returns a text of limited length. Control characters, except line breaks, are shown as codes. */
function shown(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replace(/[^\P{Cc}\n\t]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Returns the lines of a stack without the message of the error, because that message is printed before. */
function stackOf(error: Error): string {
  const stack = String(error.stack ?? "");
  const start = stack.search(/^ +at /m);
  return start === -1 ? String(error.name) : stack.slice(start);
}

/**
 * Returns the function that reports diagnostics to the hook, or to the console if there is no hook. The console gets
 * only mistakes of the program, with their stack. Each message is printed once. The returned function never throws.
 */
export function reporter(hook: ((diagnostic: Diagnostic) => void) | undefined): (diagnostic: Diagnostic) => void {
  let printed: Set<string> | undefined;
  const print = ({ code, message, error }: Diagnostic): void => {
    if (!PRINTED.has(code)) return;
    const cause = error instanceof Error ? String(error.message) : "";
    const text = shown(message.includes(cause) ? message : `${message} ${cause}`, MAX_MESSAGE);
    printed ??= new Set();
    if (printed.has(text) || printed.size === MAX_PRINTED) return;
    printed.add(text);
    const stack = error instanceof Error ? `\n${shown(stackOf(error), MAX_STACK)}` : "";
    // biome-ignore lint/suspicious/noConsole: an error that reaches nobody is worse than a line on stderr
    console.error(`turnkit: ${text}${stack}`);
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
