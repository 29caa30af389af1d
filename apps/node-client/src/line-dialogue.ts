import { createInterface } from "node:readline";
import { whenAborted } from "./interrupts.js";

/** Where a person is asked. */
export type AskOptions = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** The question is withdrawn: the turn was cancelled, or the agent does not need the answer any more. */
  readonly signal: AbortSignal;
  /** Ctrl-C while the line is read. */
  readonly interrupt: () => void;
};

/** Lines that a person types, one answer after the other. */
export interface LineDialogue {
  /** The next line; `undefined` when there is none any more: the input ended, or the question was withdrawn. */
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

/**
 * Drops what was typed on a terminal while nobody read it: it cannot be meant as the answer to a question that was not
 * there yet.
 */
export async function dropTypedAhead(terminal: NodeJS.ReadStream): Promise<void> {
  const drop = () => {};
  terminal.on("data", drop);
  // Reading begins after this task, and what is there has been read when the loop came round once more.
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  terminal.off("data", drop);
}

/** Begins to read lines. What it prints as a prompt must be this program's own words. */
export function openLineDialogue({ input, output, signal, interrupt }: AskOptions): LineDialogue {
  // An input that has ended says so only once.
  const hasEnded = "readableEnded" in input && input.readableEnded === true;
  if (signal.aborted || hasEnded) return { ask: async () => undefined, close() {} };
  const readline = createInterface({ input, output, terminal: true });
  const typed: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let open = true;
  const settle = (line: string | undefined) => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  };
  const dismiss = () => {
    if (!open) return;
    open = false;
    if (waiting !== undefined) output.write("\n"); // nobody pressed Enter
    settle(undefined);
    readline.close();
  };
  const forget = whenAborted(signal, dismiss);
  readline.on("line", (line) => {
    if (waiting === undefined) typed.push(line);
    else settle(line);
  });
  readline.on("SIGINT", interrupt);
  readline.on("close", dismiss);
  return {
    ask(prompt) {
      if (!open) return Promise.resolve(undefined);
      readline.setPrompt(prompt);
      readline.prompt();
      const early = typed.shift();
      if (early !== undefined) return Promise.resolve(early);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    close() {
      open = false;
      forget();
      readline.close();
    },
  };
}
