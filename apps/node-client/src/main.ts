#!/usr/bin/env node
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { help, type Invocation, parseInvocation } from "./arguments.js";
import { exitCode } from "./exit-code.js";
import type { Interrupts } from "./interrupts.js";
import { createPermissionPolicy } from "./permission-policy.js";
import { runProgram } from "./program.js";
import { readPrompt } from "./prompt.js";
import { runPrompt } from "./run.js";
import { createTerminalView } from "./terminal-view.js";
import { UsageError } from "./usage-error.js";
import { version } from "./version.js";

/** Does what the command line says; answers with the exit code. */
async function main(argv: readonly string[], interrupts: Interrupts): Promise<number> {
  const invocation = parseInvocation(argv);
  if (invocation.kind === "run") return run(invocation, interrupts);
  process.stdout.write(invocation.kind === "help" ? help : `${version}\n`);
  return exitCode.ended;
}

async function run(invocation: Extract<Invocation, { kind: "run" }>, interrupts: Interrupts): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const directory = resolve(invocation.cwd);
  const isDirectory = await stat(directory)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isDirectory) throw new UsageError(`--cwd: there is no directory ${directory}.`);
  const prompt = await readPrompt({ ...invocation, directory: process.cwd(), stdin });

  const view = createTerminalView({ stdin, stdout, stderr, env, directory, interrupt: interrupts.interrupt });
  const permissions = createPermissionPolicy(invocation.permissions, view);
  const { command, dialects } = invocation;
  const result = await runPrompt({ command, dialects, directory, prompt, permissions, view, interrupts });
  return result.exitCode;
}

await runProgram((interrupts) => main(process.argv.slice(2), interrupts));
