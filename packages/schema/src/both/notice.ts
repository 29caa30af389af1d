import { type Infer, lenient, nullable, object, openEnum, type Schema, string } from "../vocabulary.js";

const noticeSeverity_ = openEnum("info", "warning", "error");
/** How loud a notice is: a hint only. An unknown one is shown like any notice. */
export type NoticeSeverity = Infer<typeof noticeSeverity_> | never;
/** Validates a {@link NoticeSeverity}; unknown ones are kept. */
export const noticeSeverity: Schema<NoticeSeverity> = noticeSeverity_;

const notice_ = object({
  /** How loud it is. */
  severity: noticeSeverity,
  /** What to show, as plain text; never empty. */
  title: string(1),
  /** More to show, as plain text. */
  description: lenient(nullable(string())),
});
/**
 * Something to tell the user once: an event, not part of the conversation. Nothing may depend on it. In version 1 it is only for clients with
 * `session.notices`.
 * @see V1-UPD-33
 * @see V1-UPD-35
 * @see V2-UPD-22
 * @see V2-UPD-23
 */
export interface Notice extends Infer<typeof notice_> {}
/** Validates a {@link Notice}. */
export const notice: Schema<Notice> = notice_;
