import { type ExitCode, exitCode } from "../exit-code.js";
import { deadlineNote, startDeadline, unlessAborted } from "../interrupts.js";
import type { Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import type { ProgramStreams } from "../program.js";
import { pageOn } from "../render/page.js";
import { readSetup } from "../setup/setup.js";
import { showAgent, showCheck, showVerdict } from "./show-report.js";

type DoctorInvocation = Extract<Invocation, { kind: "doctor" }>;

/** Runs `turnkit doctor`. The exit code is `complaints` if the agent has a problem. */
export async function runDoctor(invocation: DoctorInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { stdout, env, interrupts } = streams;
  const setup = await unlessAborted(readSetup(invocation, env), interrupts.cancel);
  const deadline = startDeadline(invocation.timeoutMs, interrupts);
  const page = invocation.json ? undefined : pageOn(stdout, env);
  // The checks of conformance are large, and only the doctor needs them.
  const { examine } = await import("./examine.js");
  const report = await examine(setup, {
    ...{ turn: invocation.turn, signal: interrupts.cancel, only: invocation.only },
    // The machine of a remote agent has no folder of this program.
    ...(setup.remote && invocation.cwd !== undefined && { directory: setup.directory }),
    ...(page && {
      onContact: (first) => {
        showAgent(page, first);
        for (const check of first.checks) showCheck(page, check);
      },
      onCheck: (check) => showCheck(page, check),
    }),
  });
  deadline.release();
  if (page === undefined) stdout.write(`${safeJson(report, 2)}\n`);
  else showVerdict(page, report);
  if (deadline.isOver) {
    createRemarks(streams).note(deadlineNote);
    return exitCode.timeout;
  }
  if (interrupts.cancel.aborted) return exitCode.cancelled;
  return report.problems > 0 ? exitCode.complaints : exitCode.ended;
}
