import { whenAborted } from "./interrupts.js";

export type AskOptions = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Withdraws the question when it aborts. The turn was then cancelled, or the agent no longer needs the answer. */
  readonly signal: AbortSignal;
  /** Called if the person presses Ctrl-C while a line is read. */
  readonly interrupt: () => void;
};

export interface LineDialogue {
  /** Reads the next line. Returns `undefined` if the input ends or the question is withdrawn. */
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

/** Drops input that was typed before the question was on the screen, because such input cannot be the answer. */
export async function dropTypedAhead(terminal: NodeJS.ReadStream): Promise<void> {
  const drop = () => {};
  terminal.on("data", drop);
  // The stream begins to read after this task. Two rounds of the event loop read all waiting input.
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
  terminal.off("data", drop);
}

/** Starts to read lines. A prompt is printed unchanged, so it must not contain text of the agent. */
export function openLineDialogue({ input, output, signal, interrupt }: AskOptions): LineDialogue {
  // A stream that has already ended sends no `end` event to a new reader.
  const hasEnded = "readableEnded" in input && input.readableEnded === true;
  if (signal.aborted || hasEnded) return { ask: async () => undefined, close() {} };
  // The module is loaded here, because its import takes 2 ms and most runs ask no question in a line.
  const readline = process.getBuiltinModule("node:readline").createInterface({ input, output, terminal: true });
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
