import type { PermissionOption } from "@turnkit/session";
import { type Diagnostic, textOf } from "@turnkit/transport";
import type { AuditEvent } from "./audit-event.js";
import { verdictOfOption } from "./offered-options.js";

export type Decided = Extract<AuditEvent, { type: "decided" }>;

/** Receives every decision before it counts. An exception or a rejected promise cancels the question. */
export type Audit = (event: AuditEvent) => unknown;

/**
 * Returns the function that sends events to `audit`. Without an audit, a failure of the store is reported, because the person
 * would only see that the same question comes again.
 */
export function auditTrail(audit: Audit | undefined, report: (diagnostic: Diagnostic) => void): Audit {
  return (event) => {
    if (audit !== undefined) return audit(event);
    if (event.type !== "store_failed") return;
    const message = `The store of a permission broker failed, so a decision was not remembered: ${textOf(event.error)}`;
    report({ code: "handler_failed", message, error: event.error });
  };
}

/** Returns the members of an event about a selected option. Without an option, the question was cancelled. */
export function outcomeOf(option: PermissionOption | undefined): Pick<Decided, "outcome" | "optionId"> {
  if (option === undefined) return { outcome: "cancel" };
  return { outcome: verdictOfOption(option) ?? "other", optionId: option.optionId };
}
