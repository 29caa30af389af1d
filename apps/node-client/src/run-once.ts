import { startDeadline, unlessAborted } from "./interrupts.js";
import type { RunInvocation } from "./invocation.js";
import { withOwnServers } from "./mcp/own-servers.js";
import { createJsonView, createNdjsonView } from "./output/json-view.js";
import { createQuietView } from "./output/quiet-view.js";
import { createRemarks } from "./output/remarks.js";
import { readPermissions } from "./permission-judges.js";
import { openPermissionStore } from "./permission-store.js";
import { createPermissionPolicy } from "./permissions.js";
import type { ProgramStreams } from "./program.js";
import { readPrompt } from "./prompt/read-prompt.js";
import { runPrompt } from "./run.js";
import { agentIdentity, hereOf, readSetup } from "./setup/setup.js";
import { createTerminalView } from "./terminal-view.js";

/**
 * Runs one prompt and returns the exit code.
 *
 * @throws UsageError, or Interrupted after Ctrl-C, before the agent is started
 */
export async function runOnce(invocation: RunInvocation, streams: ProgramStreams): Promise<number> {
  const { session: wish, timeoutMs, settings } = invocation;
  const { interrupts, env, stdin, stdout } = streams;
  const { note } = createRemarks(streams);
  const prepare = async () => {
    const judge = await readPermissions(invocation.permissions);
    const setup = await readSetup(invocation, env);
    const place = { here: process.cwd(), directory: hereOf(setup) };
    const mayBeEmpty = wish !== undefined;
    return { judge, setup, prompt: await readPrompt({ ...invocation, ...place, stdin, note, mayBeEmpty }) };
  };
  const { judge, prompt, setup } = await unlessAborted(prepare(), interrupts.cancel);
  const store = await openPermissionStore(env, setup.directory);
  const views = { text: createTerminalView, quiet: createQuietView, json: createJsonView, ndjson: createNdjsonView };
  // A session without a prompt is shown, so it has no answer.
  const usual = stdout.isTTY === true || prompt === undefined ? "text" : "quiet";
  const view = views[invocation.output ?? usual](streams, setup.directory);
  const complete = await unlessAborted(withOwnServers(setup, { view, env, interrupts }), interrupts.cancel);
  const deadline = startDeadline(timeoutMs, interrupts);
  const { exitCode } = await runPrompt({
    ...{ setup: complete, view, interrupts, deadline, settings },
    permissions: createPermissionPolicy(judge, view, store.of(agentIdentity(setup))),
    ...(prompt && { prompt }),
    ...(wish !== undefined && { wish }),
  });
  deadline.release();
  return exitCode;
}
