import { createInterface } from "node:readline";
import { whenAborted } from "./interrupts.js";

export type AskOptions = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Withdraws the question: the turn was cancelled, or the agent does not need the answer any more. */
  readonly signal: AbortSignal;
  /** Called for Ctrl-C while a line is read. */
  readonly interrupt: () => void;
};

export interface LineDialogue {
  /** Reads the next line; `undefined` if the input ended or the question was withdrawn. */
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

/** Drops input that was typed before a question was on the screen: it cannot be the answer. */
export async function dropTypedAhead(terminal: NodeJS.ReadStream): Promise<void> {
  const drop = () => {};
  terminal.on("data", drop);
  // Reading begins after this task; two rounds of the event loop read all that is there.
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  terminal.off("data", drop);
}

/** Begins to read lines. A prompt must hold this program's own words only: it is printed as it is. */
export function openLineDialogue({ input, output, signal, interrupt }: AskOptions): LineDialogue {
  // A second reader gets no end event of an input that has ended.
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
    if (waiting !== undefined) output.write("\n"); // Enter was not pressed
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
