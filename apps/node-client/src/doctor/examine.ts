import { isAcpError } from "@turnkit/client";
import { commandOrAddress, type Setup } from "../setup/setup.js";
import type { DoctorCheck } from "./doctor-check.js";
import { type Contact, meetAgent, resultOf } from "./first-contact.js";
import { createReport, type Report } from "./report.js";
import { type ChecksOptions, runChecks } from "./run-checks.js";

export type ExamineOptions = Pick<ChecksOptions, "turn" | "only" | "directory" | "signal" | "onCheck" | "timeoutMs"> & {
  readonly onContact?: (report: Report) => void;
};

/** Connects to an agent, and then runs the quick suite of conformance against the agent. */
export async function examine(setup: Setup, { onContact, ...options }: ExamineOptions): Promise<Report> {
  const command = commandOrAddress(setup);
  const contact = await meetAgent(setup, options);
  onContact?.(createReport(command, contact));
  const peer = resultOf(contact.start);
  const dialect = peer?.dialect ?? setup.dialects[0];
  const canDelete = peer?.capabilities.list === true && peer.capabilities.delete;
  const only = needed(contact) ?? options.only;
  let checks: readonly DoctorCheck[] = [];
  if (dialect !== undefined && only?.length !== 0) {
    checks = await runChecks(setup, { ...options, dialect, only, canDelete });
  }
  const report = createReport(command, contact, checks);
  return options.signal.aborted ? { ...report, interrupted: true } : report;
}

/**
 * Returns the checks that are useful after this contact: the whole quick suite (`undefined`), only the checks of the
 * first messages, or none.
 */
function needed({ start, isLocal }: Contact): readonly string[] | undefined {
  if (start?.status === "done") return undefined;
  if (start?.status !== "failed" || !isLocal || isAcpError(start.error, "spawn")) return [];
  return ["ACP-TRANSPORT-001", "ACP-INIT-001"];
}
