import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Surroundings of a program. */
export type ProgramOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Content of stdin, which is never a terminal.
   * @defaultValue ""
   */
  readonly stdin?: string;
};

/** Output and end of a program. */
export type ProgramEnd = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** A program that runs, with pipes for its stdin and stdout. */
export interface RunningProgram {
  /** Output so far. */
  readonly output: Pick<ProgramEnd, "stdout" | "stderr">;
  /** Settles when stdout, or stderr, holds this text; rejects if the program ends without it. */
  printed(text: string, stream?: "stdout" | "stderr"): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<ProgramEnd>;
}

/** Starts a program as a child; it does not outlive the test. */
export function startProgram(command: readonly string[], options: ProgramOptions): RunningProgram {
  const [program = "", ...args] = command;
  // Colours are for terminals, whatever the test was started from.
  const { NO_COLOR: _no, FORCE_COLOR: _force, INIT_CWD: _folder, ...env } = process.env;
  const child = spawn(program, args, { cwd: options.cwd, env: { ...env, ...options.env } });
  child.stdin.end(options.stdin ?? "");
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  return {
    output,
    printed(text, stream = "stdout") {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!output[stream].includes(text)) return;
          child[stream].off("data", look);
          resolve();
        };
        child[stream].on("data", look);
        look();
        void closed.then(() => reject(new Error(`It ended and never printed "${text}": ${JSON.stringify(output)}`)));
      });
    },
    kill: (signal) => void child.kill(signal),
    ended: closed.then(([code, signal]) => ({ code, signal, ...output })),
  };
}

/** Starts a program and waits for its end. */
export function runProgram(command: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  return startProgram(command, options).ended;
}

/** Fails with the first of the texts that does not stand in `output` behind those before it. */
export function expectInOrder(output: string, texts: readonly string[]): void {
  let at = 0;
  for (const text of texts) {
    const found = output.indexOf(text, at);
    if (found < 0) throw new Error(`"${text}" is missing, or comes too early, in:\n${output}`);
    at = found + text.length;
  }
}
