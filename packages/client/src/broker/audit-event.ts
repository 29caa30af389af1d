import type { PermissionFacts } from "./permission-facts.js";

/**
 * One step of a settled question, for an audit log. Texts for people are left out, and secrets are redacted.
 *
 * `by` of a `decided` event:
 *
 * - `policy`: a rule.
 * - `memory`: a remembered decision.
 * - `person`: the person that was asked.
 * - `elsewhere`: `session.answer`, a cancel, the agent or the end of the session.
 * - `timeout`, `nobody` (no `ask` handler) and `failure` (an exception): always a cancel.
 *
 * If another decision came first, a second `decided` event by `elsewhere` holds the decision that counts. The outcome
 * `other` is an option of an unknown kind, selected by a person.
 */
export type AuditEvent = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly question: "permission" | "form" | "url";
  /** Absent for a question that belongs to no session. */
  readonly sessionId?: string;
  readonly requestId?: string;
  /** Facts of a permission question, without the input. */
  readonly facts?: Omit<PermissionFacts, "input">;
} & (
  | {
      readonly type: "decided";
      readonly by: "policy" | "memory" | "person" | "elsewhere" | "timeout" | "nobody" | "failure";
      readonly outcome: "allow" | "reject" | "other" | "accept" | "decline" | "cancel";
      readonly optionId?: string;
      readonly error?: unknown;
    }
  /** A decision was stored; `expiresAt` in milliseconds since 1970. */
  | { readonly type: "remembered"; readonly verdict: "allow" | "reject"; readonly expiresAt: number }
  /** The store failed; the question went on without it. */
  | { readonly type: "store_failed"; readonly error: unknown }
);
