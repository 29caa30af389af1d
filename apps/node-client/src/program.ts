import { type ExitCode, exitCode, UsageError } from "./exit-code.js";
import { createInterrupts, Interrupted, type Interrupts, whenAborted } from "./interrupts.js";
import { showControls } from "./sanitise.js";
import { closedOutputNote } from "./setup/closed-output.js";
import { replaceRelativeHome } from "./setup/user-folders.js";

export type ProgramStreams = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly interrupts: Interrupts;
};

export type PrintStreams = Pick<ProgramStreams, "env" | "stdout">;

/** Milliseconds that the program has after `quit` to end its agent and to write the rest of its output. */
const QUIT_MS = 2000;

/**
 * Runs a program, and exits with its code after all output is written. If the output cannot be written, the process
 * exits with another code. After `quit`, the process exits within 2 s, even if the program still waits for a file or a
 * reader.
 */
export async function runProgram(program: (streams: ProgramStreams) => Promise<number>): Promise<never> {
  const { stdin, stdout, stderr, env } = process;
  const interrupts = createInterrupts(process, stdout);
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error) => {
    lost ??= error;
  });
  // Without a listener, a closed stderr would crash the program.
  stderr.on("error", () => {});
  for (const note of [replaceRelativeHome(env), closedOutputNote(stdout)]) if (note !== undefined) tell(note);
  const givenUp = new Promise<ExitCode>((resolve) => {
    whenAborted(interrupts.quit, () => setTimeout(resolve, QUIT_MS, exitCode.cancelled));
  });
  const code = await Promise.race([program({ stdin, stdout, stderr, env, interrupts }).catch(codeOfFailure), givenUp]);
  // `process.exit` drops output that is still in memory.
  await Promise.race([written(stdout), givenUp]);
  const final = lost === undefined ? code : codeOfLostOutput(lost, code);
  await Promise.race([written(stderr), givenUp]);
  process.exit(final);
}

function codeOfLostOutput({ code: reason, message }: NodeJS.ErrnoException, code: number): number {
  // EPIPE means that the reader closed the pipe, so a message is not needed.
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
  // The message may contain text of a file or an agent.
  process.stderr.write(`turnkit: ${showControls(text)}\n`);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
