import type { PermissionFacts } from "./permission-facts.js";

/**
 * One step of how a question was settled, for a log of one's own; nothing in it is for people only, and what looks like a
 * secret is taken out.
 *
 * `decided` says who: a `policy`, the `memory` of a decision for good, the `person` that was asked; `elsewhere` is
 * `session.answer`, a cancel, the agent or the end of the session; `timeout`, `nobody` (there is no one to ask) and
 * `failure` (something threw) always cancel. Where something else was quicker by a moment a second `decided`, by
 * `elsewhere`, says what counts. `other` is an option of a kind that nobody here knows, chosen by a person.
 */
export type AuditEvent = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly question: "permission" | "form" | "url";
  /** Absent for a question that belongs to no session. */
  readonly sessionId?: string;
  readonly requestId?: string;
  /** Of permission questions; without the input. */
  readonly facts?: Omit<PermissionFacts, "input">;
} & (
  | {
      readonly type: "decided";
      readonly by: "policy" | "memory" | "person" | "elsewhere" | "timeout" | "nobody" | "failure";
      readonly outcome: "allow" | "reject" | "other" | "accept" | "decline" | "cancel";
      readonly optionId?: string;
      readonly error?: unknown;
    }
  /** A person's decision was kept; `expiresAt` in milliseconds since 1970. */
  | { readonly type: "remembered"; readonly verdict: "allow" | "reject"; readonly expiresAt: number }
  /** The store failed; the question went on without it. */
  | { readonly type: "store_failed"; readonly error: unknown }
);
