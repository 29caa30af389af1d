#!/usr/bin/env node
import { runProgram } from "./run-program.js";

// The program of the package: `npx @turnkit/conformance agent -- my-agent --acp`. The exit code is set, and the program
// ends by itself. Otherwise a report to a pipe could be cut.

const streams = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
};

// A reader that ends early, such as `head`, is not a failure.
process.stdout.on("error", () => {});

// The program exits with a code instead of dying by the signal. The exit ends the checked programs and removes their
// folder.
for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => process.exit(code));

process.exitCode = await runProgram(process.argv.slice(2), streams);
