import { type Infer, lenient, nullable, object, openEnum, type Schema, string } from "../vocabulary.js";

const noticeSeverity_ = openEnum("info", "warning", "error");
/** Loudness of a notice, a hint only. A notice of unknown severity is shown like any other. */
export type NoticeSeverity = Infer<typeof noticeSeverity_> | never;
/** Validates a {@link NoticeSeverity}; unknown ones are kept. */
export const noticeSeverity: Schema<NoticeSeverity> = noticeSeverity_;

const notice_ = object({
  /** Loudness of the notice. */
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
