import { type ExitCode, exitCode } from "../exit-code.js";
import { unlessAborted } from "../interrupts.js";
import type { Invocation } from "../invocation.js";
import { createRemarks } from "../output/remarks.js";
import { safeJson } from "../output/safe-json.js";
import { pageOn } from "../render/page.js";
import { deadlineNote, startDeadline } from "../setup/deadline.js";
import { readSetup } from "../setup/setup.js";
import type { ProgramStreams } from "../setup/with-agent.js";
import { examine } from "./examine.js";
import { createReport, showReport } from "./report.js";

type DoctorInvocation = Extract<Invocation, { kind: "doctor" }>;

/** Runs `turnkit doctor`; the exit code is `complaints` if the agent has a problem. */
export async function runDoctor(invocation: DoctorInvocation, streams: ProgramStreams): Promise<ExitCode> {
  const { stdout, stderr, env, interrupts } = streams;
  const setup = await unlessAborted(readSetup(invocation, env), interrupts.cancel);
  const remarks = createRemarks(streams);
  const deadline = startDeadline(invocation.timeoutMs, interrupts);
  const evidence = await examine(setup, {
    ...{ turn: invocation.turn, signal: interrupts.cancel },
    onStep: (step) => {
      if (stderr.isTTY) remarks.note(`trying: ${step} …`);
    },
  });
  deadline.release();
  const report = createReport(setup.command, evidence);
  if (invocation.json) stdout.write(`${safeJson(report, 2)}\n`);
  else showReport(pageOn(stdout, env), report);
  if (deadline.isOver) {
    remarks.note(deadlineNote);
    return exitCode.timeout;
  }
  if (interrupts.cancel.aborted) return exitCode.cancelled;
  return report.problems > 0 ? exitCode.complaints : exitCode.ended;
}
