import type { ExitCode } from "../exit-code.js";
import { type Interrupts, unlessAborted } from "../interrupts.js";
import type { RunInvocation } from "../invocation.js";
import { readPermissions } from "../permission-mode.js";
import { readSetup } from "../setup/setup.js";
import { createTerminalView } from "../terminal-view.js";
import { runInteractive } from "./run-interactive.js";

/**
 * A conversation at the keyboard, as the command line wants it; answers with the exit code.
 *
 * @throws UsageError, and Interrupted after a Ctrl-C, before anything is started
 */
export async function startInteractive(invocation: RunInvocation, interrupts: Interrupts): Promise<ExitCode> {
  const { stdin, stdout, stderr, env } = process;
  const prepare = async () => ({
    judge: await readPermissions(invocation.permissions),
    setup: await readSetup(invocation, env),
  });
  const { judge, setup } = await unlessAborted(prepare(), interrupts.cancel);
  const { directory } = setup;
  const view = createTerminalView({ stdin, stdout, stderr, env, directory, interrupt: interrupts.interrupt });
  const { session } = invocation;
  return runInteractive({
    ...{ setup, judge, view, interrupts, stdin, stdout, env },
    ...(session !== undefined && { sessionId: session }),
  });
}
