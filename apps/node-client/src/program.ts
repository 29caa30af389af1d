import { exitCode } from "./exit-code.js";
import { createInterrupts, type Interrupts } from "./interrupts.js";
import { showControls } from "./sanitise.js";
import { UsageError } from "./usage-error.js";

/** Runs a program to its end and exits with the code that it returns, after everything it wrote has left. */
export async function runProgram(program: (interrupts: Interrupts) => Promise<number>): Promise<never> {
  const interrupts = createInterrupts(process, process.stdout);
  const code = await program(interrupts).catch((error: unknown) => {
    // A message may quote a file, or an agent.
    const tell = (text: string) => process.stderr.write(`turnkit: ${showControls(text)}\n`);
    if (error instanceof UsageError) {
      tell(error.message);
      return exitCode.usage;
    }
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
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
