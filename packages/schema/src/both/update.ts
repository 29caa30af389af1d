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
/** Importance of a notice, as a hint. Notices of unknown severity are shown like other notices. */
export type NoticeSeverity = Infer<typeof noticeSeverity_> | never;
/** Validates a {@link NoticeSeverity}. Unknown values are accepted. */
export const noticeSeverity: Schema<NoticeSeverity> = noticeSeverity_;

const notice_ = object({
  /** Importance of the notice. */
  severity: noticeSeverity,
  /** Plain text to show. It is never empty. */
  title: string(1),
  /** Details as plain text. */
  description: lenient(nullable(string())),
});
// V1-UPD-33, V1-UPD-35, V2-UPD-22, V2-UPD-23
/**
 * Notice that is shown to the user once. It is not part of the conversation, and nothing may depend on it. In version
 * 1, only clients with `session.notices` get notices.
 */
export interface Notice extends Infer<typeof notice_> {}
/** Validates a {@link Notice}. */
export const notice: Schema<Notice> = notice_;

const cost_ = object({
  /** Cost of the session until now. */
  amount: number(),
  /** ISO 4217 code, or another unit such as `credits`. */
  currency: string(),
});
// V1-UPD-30
/** Cost of a session. */
export interface Cost extends Infer<typeof cost_> {}
/** Validates a {@link Cost}. */
export const cost: Schema<Cost> = cost_;

const usageUpdate_ = object({
  /** Number of tokens that are in the context now. Cached tokens count too. The number may exceed `size`. */
  used: integer(0),
  /** Size of the context in tokens. It may be 0. */
  size: integer(0),
  /** Cost of the session until now. `null` clears the cost, and an absent or malformed value changes nothing. */
  cost: lenient(nullable(cost)),
});
// V1-UPD-29, V2-UPD-21
/** Number of tokens in the context, and their limit. */
export interface UsageUpdate extends Infer<typeof usageUpdate_> {}
/** Validates a {@link UsageUpdate}. */
export const usageUpdate: Schema<UsageUpdate> = usageUpdate_;

const sessionInfoUpdate_ = object({
  /** New title. `null` clears the title, and an absent or malformed value changes nothing. */
  title: lenient(nullable(string())),
  /** Time of the session's last change. `null` clears the time, and an absent or malformed value changes nothing. */
  updatedAt: lenient(nullable(string())),
});
// V1-UPD-26, V2-UPD-20
/** Change of a session's title or time. */
export interface SessionInfoUpdate extends Infer<typeof sessionInfoUpdate_> {}
/** Validates a {@link SessionInfoUpdate}. */
export const sessionInfoUpdate: Schema<SessionInfoUpdate> = sessionInfoUpdate_;

/** Identifier of a compaction, unique in its session. */
export type CompactionId = string;
/** Validates a {@link CompactionId}. */
export const compactionId: Schema<CompactionId> = string();

const compactionStatus_ = openEnum("in_progress", "completed", "failed", "cancelled");
/** Status of a compaction. An unknown status has no meaning. */
export type CompactionStatus = Infer<typeof compactionStatus_> | never;
/** Validates a {@link CompactionStatus}. Unknown values are accepted. */
export const compactionStatus: Schema<CompactionStatus> = compactionStatus_;
