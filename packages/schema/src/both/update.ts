import {
  type Infer,
  integer,
  lenient,
  nullable,
  number,
  object,
  openEnum,
  type Schema,
  string,
} from "../vocabulary.js";

const noticeSeverity_ = openEnum("info", "warning", "error");
/** Importance of a notice, a hint only. A notice of unknown severity is shown like any other. */
export type NoticeSeverity = Infer<typeof noticeSeverity_> | never;
/** Validates a {@link NoticeSeverity}; unknown ones are kept. */
export const noticeSeverity: Schema<NoticeSeverity> = noticeSeverity_;

const notice_ = object({
  /** Importance of the notice. */
  severity: noticeSeverity,
  /** Plain text to show, never empty. */
  title: string(1),
  /** Details to show, as plain text. */
  description: lenient(nullable(string())),
});
// V1-UPD-33, V1-UPD-35, V2-UPD-22, V2-UPD-23
/**
 * Notice shown to the user once: an event, not part of the conversation. Nothing may depend on it. In version 1 it is
 * only for clients with `session.notices`.
 */
export interface Notice extends Infer<typeof notice_> {}
/** Validates a {@link Notice}. */
export const notice: Schema<Notice> = notice_;

const cost_ = object({
  /** All that the session has cost so far. */
  amount: number(),
  /** An ISO 4217 code, or another unit such as `credits`. */
  currency: string(),
});
// V1-UPD-30
/** Cost of a session. */
export interface Cost extends Infer<typeof cost_> {}
/** Validates a {@link Cost}. */
export const cost: Schema<Cost> = cost_;

const usageUpdate_ = object({
  /** Tokens in the context now, cached ones included. May exceed `size`. */
  used: integer(0),
  /** Size of the context in tokens. May be 0. */
  size: integer(0),
  /** Cost of the session so far. Null clears it, absent or malformed leaves it. */
  cost: lenient(nullable(cost)),
});
// V1-UPD-29, V2-UPD-21
/** Number of tokens in the context, and their limit. */
export interface UsageUpdate extends Infer<typeof usageUpdate_> {}
/** Validates a {@link UsageUpdate}. */
export const usageUpdate: Schema<UsageUpdate> = usageUpdate_;

const sessionInfoUpdate_ = object({
  /** The new title. Null clears it, absent or malformed leaves it. */
  title: lenient(nullable(string())),
  /** Time of the session's last change. Null clears it, absent or malformed leaves it. */
  updatedAt: lenient(nullable(string())),
});
// V1-UPD-26, V2-UPD-20
/** Change of a session's entry in lists. */
export interface SessionInfoUpdate extends Infer<typeof sessionInfoUpdate_> {}
/** Validates a {@link SessionInfoUpdate}. */
export const sessionInfoUpdate: Schema<SessionInfoUpdate> = sessionInfoUpdate_;

/** Identifier of a compaction; unique within its session. */
export type CompactionId = string;
/** Validates a {@link CompactionId}. */
export const compactionId: Schema<CompactionId> = string();

const compactionStatus_ = openEnum("in_progress", "completed", "failed", "cancelled");
/** Status of a compaction. An unknown status has no meaning. */
export type CompactionStatus = Infer<typeof compactionStatus_> | never;
/** Validates a {@link CompactionStatus}; unknown ones are kept. */
export const compactionStatus: Schema<CompactionStatus> = compactionStatus_;
