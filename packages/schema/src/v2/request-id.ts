import { firstOf, integer, type Schema, string } from "../vocabulary.js";

/**
 * Names a request of one side. `1` and `"1"` are two ids; `0` and `""` are ids like others, null is none.
 * @see V2-ENV-02
 */
export type RequestId = string | number;
/** Validates a {@link RequestId}. */
export const requestId: Schema<RequestId> = firstOf(string(), integer());
