import { type ExitCode, exitCode } from "../exit-code.js";
import { Interrupted, unlessAborted } from "../interrupts.js";
import type { RunInvocation } from "../invocation.js";
import { readPermissions } from "../permission-judges.js";
import type { ProgramStreams } from "../program.js";
import { startEarly } from "../setup/early-agent.js";
import { readSetup } from "../setup/setup.js";

/**
 * Runs the interactive client: starts the agent, shows the screen, opens or restores a session, and ends the agent when
 * the person quits. Failures are shown, and the exit code says which failure it was.
 *
 * The process of the agent starts first. The screen is loaded at the same time, and the client after the screen is
 * shown.
 *
 * @throws UsageError, or Interrupted after Ctrl-C, before the agent is started
 */
export async function runInteractive(invocation: RunInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { interrupts, env } = streams;
  const prepare = async () => {
    // A mistake in a policy file is reported before the agent starts.
    await readPermissions(invocation.permissions);
    return readSetup(invocation, env);
  };
  const setup = await unlessAborted(prepare(), interrupts.cancel);
  const spawn = startEarly(setup);
  const { createTerminalView, holdConversation } = await import("./hold-conversation.js");
  const view = createTerminalView(streams, setup.directory);
  try {
    return await holdConversation({ ...streams, invocation, setup, spawn, view });
  } catch (error) {
    if (interrupts.quit.aborted || error instanceof Interrupted) return exitCode.cancelled;
    view.failure(error);
    return (await import("./late-parts.js")).exitCodeOfError(error);
  }
}
