import { exitCode } from "./exit-code.js";
import { createInterrupts, type Interrupts } from "./interrupts.js";
import { UsageError } from "./usage-error.js";

/** Runs a program to its end and exits with the code that it returns, after everything it wrote has left. */
export async function runProgram(program: (interrupts: Interrupts) => Promise<number>): Promise<never> {
  const interrupts = createInterrupts(process, process.stdout);
  const code = await program(interrupts).catch((error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`turnkit: ${error.message}\n`);
      return exitCode.usage;
    }
    process.stderr.write(`turnkit: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    return exitCode.failed;
  });
  // `process.exit` drops what a pipe has not taken yet.
  for (const stream of [process.stdout, process.stderr]) await written(stream);
  process.exit(code);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
