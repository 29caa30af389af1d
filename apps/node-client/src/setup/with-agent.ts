import { type ExitCode, exitCode } from "../exit-code.js";
import { deadlineNote, Interrupted, startDeadline, unlessAborted } from "../interrupts.js";
import type { AgentChoice } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import type { ProgramStreams } from "../program.js";
import { exitCodeOfError } from "../run.js";
import { createTerminalView } from "../terminal-view.js";
import { readSetup, type Setup } from "./setup.js";
import { type Visit, visitAgent } from "./visit.js";

/**
 * Starts the agent of the command line, runs `work`, and ends the agent. Returns the exit code. Failures go to stderr.
 * On a terminal a person can log in.
 *
 * @throws UsageError before the agent starts
 */
export async function withAgent(
  choice: AgentChoice,
  streams: ProgramStreams,
  work: (visit: Visit, setup: Setup) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { env, interrupts } = streams;
  const setup = await unlessAborted(readSetup(choice, env), interrupts.cancel);
  const deadline = startDeadline(choice.timeoutMs, interrupts);
  const remarks = createRemarks(streams);
  const { choose } = createTerminalView(streams, setup.directory);
  try {
    const visit = await visitAgent({ setup, view: { ...remarks, ...(choose && { choose }) }, interrupts });
    return await work(visit, setup).finally(() => visit.close());
  } catch (error) {
    if (deadline.isOver) {
      remarks.note(deadlineNote);
      return exitCode.timeout;
    }
    if (error instanceof Interrupted) return exitCode.cancelled;
    remarks.failure(error);
    return exitCodeOfError(error);
  } finally {
    deadline.release();
  }
}
