import { createInterface } from "node:readline";
import type { PermissionOption } from "@turnkit/session";
import { whenAborted } from "./interrupts.js";
import { chooseByAnswer, type PermissionChoice } from "./permission-mode.js";

/** Where a person is asked. */
export type AskOptions = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** The question is withdrawn: the turn was cancelled, or the agent does not need the answer any more. */
  readonly signal: AbortSignal;
  /** Ctrl-C while the line is read. */
  readonly interrupt: () => void;
};

/**
 * Reads the answer to a permission question that stands on the screen already. Asks again until the answer fits; the end
 * of the input and a withdrawn question choose nothing.
 */
export function askPerson(options: readonly PermissionOption[], asking: AskOptions): Promise<PermissionChoice> {
  const { input, output, signal, interrupt } = asking;
  if (signal.aborted) return Promise.resolve({ cancel: true });
  return new Promise((resolve) => {
    const readline = createInterface({ input, output, terminal: true });
    let settled = false;
    let forget = () => {};
    const settle = (choice: PermissionChoice) => {
      if (settled) return;
      settled = true;
      forget();
      readline.close();
      resolve(choice);
    };
    const dismiss = () => {
      if (!settled) output.write("\n"); // nobody pressed Enter
      settle({ cancel: true });
    };
    readline.on("line", (line) => {
      const choice = chooseByAnswer(line, options);
      if (choice === undefined) readline.prompt();
      else settle(choice);
    });
    readline.on("SIGINT", interrupt);
    readline.on("close", dismiss);
    readline.setPrompt(`Your choice (1–${options.length} or the beginning of a name, 0 for none): `);
    readline.prompt();
    forget = whenAborted(signal, dismiss);
  });
}
