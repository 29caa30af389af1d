import type { Diagnostic } from "./connection.js";
import { textOf } from "./errors.js";

/**
 * Codes of diagnostics that must reach the user of the program. Without `onDiagnostic`, each of their messages is
 * printed once.
 */
const PRINTED: ReadonlySet<Diagnostic["code"]> = new Set([
  "handler_failed",
  "notification_failed",
  "listener_failed",
  "unused_option",
  "withheld_variable",
  "agent_report",
  "agent_stderr",
  "unanswered",
  "unfinished",
  "connection_lost",
  "reconnecting",
  "late_loop",
  "late_change",
  "listener_stuck",
  "log_failed",
  "refused",
  "outgoing_invalid",
]);

/**
 * Codes of messages that are lost, mostly by a fault of the peer. Without `onDiagnostic`, the first diagnostic of each code
 * is printed: a peer may repeat its fault for ever.
 */
const PRINTED_ONCE: ReadonlySet<Diagnostic["code"]> = new Set([
  "invalid_line",
  "invalid_message",
  "dropped",
  "unhandled",
]);

const FURTHER = "Further ones are not printed: pass onDiagnostic to get them.";

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
 * Returns the function that reports diagnostics to the hook, or to the console if there is no hook. The console gets each
 * mistake of the program once, with its stack, and the first lost message of each code. The returned function never throws.
 */
export function reporter(hook: ((diagnostic: Diagnostic) => void) | undefined): (diagnostic: Diagnostic) => void {
  let printed: Set<string> | undefined;
  const print = ({ code, message, error }: Diagnostic): void => {
    const isFirst = PRINTED_ONCE.has(code);
    if (!isFirst && !PRINTED.has(code)) return;
    const cause = error instanceof Error && !isFirst ? String(error.message) : "";
    const text = shown(message.includes(cause) ? message : `${message} ${cause}`, MAX_MESSAGE);
    const key = isFirst ? code : text;
    printed ??= new Set();
    if (printed.has(key) || printed.size === MAX_PRINTED) return;
    printed.add(key);
    // The stack of a peer's fault shows only this library.
    const more = isFirst ? ` ${FURTHER}` : error instanceof Error ? `\n${shown(stackOf(error), MAX_STACK)}` : "";
    // biome-ignore lint/suspicious/noConsole: an error that reaches nobody is worse than a line on stderr
    console.error(`turnkit: ${text}${more}`);
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
