import { type ExitCode, exitCode, UsageError } from "./exit-code.js";
import { createInterrupts, Interrupted, type Interrupts, whenAborted } from "./interrupts.js";
import { showControls } from "./sanitise.js";

/** How long a program takes at most that is told to quit, in milliseconds: to end its agent, and to write what is left. */
const QUIT_MS = 2000;

/**
 * Runs a program to its end and exits with the code that it returns, after everything it wrote has left; with another
 * one where that could not be written. Told to quit, it exits soon, whatever it waits for: a file that never comes, a
 * reader of its output that does not read.
 */
export async function runProgram(program: (interrupts: Interrupts) => Promise<number>): Promise<never> {
  const interrupts = createInterrupts(process, process.stdout);
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error) => {
    lost ??= error;
  });
  // Without a listener a reader of stderr that goes away would end the program, in the middle of its work.
  process.stderr.on("error", () => {});
  const givenUp = new Promise<ExitCode>((resolve) => {
    whenAborted(interrupts.quit, () => setTimeout(resolve, QUIT_MS, exitCode.cancelled));
  });
  const code = await Promise.race([program(interrupts).catch(codeOfFailure), givenUp]);
  // `process.exit` drops what a pipe has not taken yet.
  await Promise.race([written(process.stdout), givenUp]);
  const final = lost === undefined ? code : codeOfLostOutput(lost, code);
  await Promise.race([written(process.stderr), givenUp]);
  process.exit(final);
}

function codeOfLostOutput({ code: reason, message }: NodeJS.ErrnoException, code: number): number {
  // Who reads no further knows it.
  if (reason === "EPIPE") return code === exitCode.ended ? exitCode.cancelled : code;
  tell(`The output could not be written: ${message}.`);
  return exitCode.failed;
}

function codeOfFailure(error: unknown): ExitCode {
  if (error instanceof Interrupted) return exitCode.cancelled;
  if (error instanceof UsageError) {
    tell(error.message);
    return exitCode.usage;
  }
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCode.failed;
}

function tell(text: string): void {
  // It may quote a file, or an agent.
  process.stderr.write(`turnkit: ${showControls(text)}\n`);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
