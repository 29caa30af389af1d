import { type Infer, integer, lenient, nullable, object, type Schema } from "../../vocabulary.js";

const usage_ = object({
  /** All tokens. */
  totalTokens: integer(0),
  /** Input tokens. */
  inputTokens: integer(0),
  /** Output tokens. */
  outputTokens: integer(0),
  /** Tokens of thoughts. */
  thoughtTokens: lenient(nullable(integer(0))),
  /** Tokens read from a cache. */
  cachedReadTokens: lenient(nullable(integer(0))),
  /** Tokens written to a cache. */
  cachedWriteTokens: lenient(nullable(integer(0))),
});
// V1-UNST-01, V2-PRM-22
/**
 * Tokens used by the work that just ended, not by the session. In version 1 agents count different periods: show the
 * numbers, but do not add them up.
 */
export interface Usage extends Infer<typeof usage_> {}
/** Validates {@link Usage}. */
export const usage: Schema<Usage> = usage_;
