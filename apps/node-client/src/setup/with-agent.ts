import { type ExitCode, exitCode } from "../exit-code.js";
import { Interrupted, type Interrupts, unlessAborted } from "../interrupts.js";
import type { AgentChoice } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { exitCodeOfError } from "../run.js";
import { createTerminalView } from "../terminal-view.js";
import { deadlineNote, startDeadline } from "./deadline.js";
import { readSetup, type Setup } from "./setup.js";
import { type Visit, visitAgent } from "./visit.js";

/** The streams of the program, and how it is stopped. */
export type ProgramDesk = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly interrupts: Interrupts;
};

/**
 * Starts the agent that the command line names, does one thing with it, and ends it; answers with the exit code. What
 * goes wrong is told on stderr. On a terminal a login can be chosen.
 *
 * @throws UsageError before anything is started
 */
export async function withAgent(
  choice: AgentChoice,
  desk: ProgramDesk,
  work: (visit: Visit, setup: Setup) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { env, interrupts } = desk;
  const setup = await unlessAborted(readSetup(choice, env), interrupts.cancel);
  const deadline = startDeadline(choice.timeoutMs, interrupts);
  const remarks = createRemarks(desk);
  const { choose } = createTerminalView({ ...desk, directory: setup.directory, interrupt: interrupts.interrupt });
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
