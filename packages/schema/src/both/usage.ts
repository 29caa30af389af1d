import { type Infer, integer, lenient, nullable, number, object, type Schema, string } from "../vocabulary.js";

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
/** Fill level of the context. */
export interface UsageUpdate extends Infer<typeof usageUpdate_> {}
/** Validates a {@link UsageUpdate}. */
export const usageUpdate: Schema<UsageUpdate> = usageUpdate_;
