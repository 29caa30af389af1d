import { type Infer, lenient, nullable, object, openEnum, type Schema, string } from "../vocabulary.js";

const noticeCapabilities_ = object({});
/** Present and not null: the client shows notices. */
export interface NoticeCapabilities extends Infer<typeof noticeCapabilities_> {}
/** Validates {@link NoticeCapabilities}. */
export const noticeCapabilities: Schema<NoticeCapabilities> = noticeCapabilities_;

const noticeSeverity_ = openEnum("info", "warning", "error");
/** How loud a notice is: a hint only. An unknown one is shown like any notice. */
export type NoticeSeverity = Infer<typeof noticeSeverity_> | never;
/** Validates a {@link NoticeSeverity}; unknown ones are kept. */
export const noticeSeverity: Schema<NoticeSeverity> = noticeSeverity_;

const notice_ = object({
  /** How loud it is. */
  severity: noticeSeverity,
  /** What to show; never empty. */
  title: string(1),
  /** More to show. */
  description: lenient(nullable(string())),
});
/**
 * Something to tell the user once: an event, not part of the conversation. Only for clients with `session.notices`.
 * @see V1-UPD-33
 * @see V1-UPD-35
 */
export interface Notice extends Infer<typeof notice_> {}
/** Validates a {@link Notice}. */
export const notice: Schema<Notice> = notice_;
