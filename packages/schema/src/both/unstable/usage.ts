import { type Infer, integer, lenient, nullable, object, type Schema } from "../../vocabulary.js";

const usage_ = object({
  /** Total number of tokens. */
  totalTokens: integer(0),
  /** Number of input tokens. */
  inputTokens: integer(0),
  /** Number of output tokens. */
  outputTokens: integer(0),
  /** Number of tokens for thoughts. */
  thoughtTokens: lenient(nullable(integer(0))),
  /** Number of tokens that were read from a cache. */
  cachedReadTokens: lenient(nullable(integer(0))),
  /** Number of tokens that were written to a cache. */
  cachedWriteTokens: lenient(nullable(integer(0))),
});
// V1-UNST-01, V2-PRM-22
/**
 * Numbers of tokens that the ended work used. They do not include earlier work of the session. Agents of version 1
 * count different periods, so show the numbers, but do not add them.
 */
export interface Usage extends Infer<typeof usage_> {}
/** Validates {@link Usage}. */
export const usage: Schema<Usage> = usage_;
