import type { PermissionFacts } from "./permission-facts.js";

/**
 * One step of a settled question, for an audit log. Texts for people are left out, and secrets are redacted.
 *
 * The member `by` of a `decided` event has one of these values:
 *
 * - `policy`: a rule decided.
 * - `memory`: a remembered decision was used.
 * - `person`: the person decided.
 * - `elsewhere`: `session.answer`, a cancel, the agent or the end of the session settled the question.
 * - `timeout`, `nobody` (no `ask` handler) and `failure` (an exception): the question was cancelled.
 *
 * If an exception follows after the question was settled elsewhere, the event by `elsewhere` has its error.
 *
 * If another decision was made first, a second `decided` event by `elsewhere` contains the valid decision. The outcome
 * `other` is an option of an unknown kind that a person selected.
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
  /** A decision was stored. `expiresAt` is in milliseconds since 1970. */
  | { readonly type: "remembered"; readonly verdict: "allow" | "reject"; readonly expiresAt: number }
  /** The store failed. The question was handled without the store. */
  | { readonly type: "store_failed"; readonly error: unknown }
);
