#!/usr/bin/env node
import { runProgram } from "./run-program.js";

// The program of the package: `npx @turnkit/conformance agent -- my-agent --acp`.
// The exit code is set, and the program ends by itself: a report that is written to a pipe is then written whole.

const streams = {
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
};

// A reader that ends early, such as `head`, is no failure.
process.stdout.on("error", () => {});

// An exit, in place of the death by the signal, ends the checked programs immediately and removes their folder.
for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => process.exit(code));

process.exitCode = await runProgram(process.argv.slice(2), streams);
