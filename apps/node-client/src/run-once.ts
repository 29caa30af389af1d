import { type Interrupts, unlessAborted } from "./interrupts.js";
import type { RunInvocation } from "./invocation.js";
import { createJsonView, createNdjsonView } from "./output/json-view.js";
import { createPermissionPolicy, readPermissions } from "./permissions.js";
import { readPrompt } from "./prompt.js";
import { runPrompt } from "./run.js";
import { startDeadline } from "./setup/deadline.js";
import { readSetup } from "./setup/setup.js";
import { createTerminalView } from "./terminal-view.js";
import type { View } from "./view.js";

/**
 * Runs one prompt; returns the exit code.
 *
 * @throws UsageError, and Interrupted after a Ctrl-C, before anything is started
 */
export async function runOnce(invocation: RunInvocation, interrupts: Interrupts): Promise<number> {
  const { session, timeoutMs } = invocation;
  const { judge, prompt, setup } = await unlessAborted(prepare(invocation), interrupts.cancel);
  const view = createView(invocation, setup.directory, interrupts);
  const deadline = startDeadline(timeoutMs, interrupts);
  const { exitCode } = await runPrompt({
    ...{ setup, view, interrupts, deadline, permissions: createPermissionPolicy(judge, view) },
    ...(prompt && { prompt }),
    ...(session !== undefined && { sessionId: session }),
  });
  deadline.release();
  return exitCode;
}

/** Reads the files of the command line and standard input. */
async function prepare(invocation: RunInvocation) {
  const { env, stdin } = process;
  const mayBeEmpty = invocation.session !== undefined;
  return {
    judge: await readPermissions(invocation.permissions),
    prompt: await readPrompt({ ...invocation, directory: process.cwd(), stdin, mayBeEmpty }),
    setup: await readSetup(invocation, env),
  };
}

function createView({ output }: RunInvocation, directory: string, { interrupt }: Interrupts): View {
  const { stdin, stdout, stderr, env } = process;
  const views = {
    text: () => createTerminalView({ stdin, stdout, stderr, env, directory, interrupt }),
    json: () => createJsonView({ stdout, stderr, env }),
    ndjson: () => createNdjsonView({ stdout, stderr, env }),
  };
  return views[output]();
}
