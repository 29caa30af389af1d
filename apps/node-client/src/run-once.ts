import { startDeadline, unlessAborted } from "./interrupts.js";
import type { RunInvocation } from "./invocation.js";
import { createJsonView, createNdjsonView } from "./output/json-view.js";
import { createPermissionPolicy, readPermissions } from "./permissions.js";
import type { ProgramStreams } from "./program.js";
import { readPrompt } from "./prompt.js";
import { runPrompt } from "./run.js";
import { readSetup } from "./setup/setup.js";
import { createTerminalView } from "./terminal-view.js";

/**
 * Runs one prompt and returns the exit code.
 *
 * @throws UsageError, or Interrupted after Ctrl-C, before the agent is started
 */
export async function runOnce(invocation: RunInvocation, streams: ProgramStreams): Promise<number> {
  const { session, timeoutMs, output } = invocation;
  const { interrupts, env, stdin } = streams;
  const prepare = async () => ({
    judge: await readPermissions(invocation.permissions),
    prompt: await readPrompt({ ...invocation, directory: process.cwd(), stdin, mayBeEmpty: session !== undefined }),
    setup: await readSetup(invocation, env),
  });
  const { judge, prompt, setup } = await unlessAborted(prepare(), interrupts.cancel);
  const views = { text: createTerminalView, json: createJsonView, ndjson: createNdjsonView };
  const view = views[output](streams, setup.directory);
  const deadline = startDeadline(timeoutMs, interrupts);
  const { exitCode } = await runPrompt({
    ...{ setup, view, interrupts, deadline, permissions: createPermissionPolicy(judge, view) },
    ...(prompt && { prompt }),
    ...(session !== undefined && { sessionId: session }),
  });
  deadline.release();
  return exitCode;
}
