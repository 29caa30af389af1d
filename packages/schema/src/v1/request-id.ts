import { firstOf, integer, nullable, type Schema, string } from "../vocabulary.js";

/**
 * Names a request of one side. `1` and `"1"` are two ids; `0`, `""` and null are ids like others.
 * @see V1-RPC-02
 */
export type RequestId = string | number | null;
/** Validates a {@link RequestId}. */
export const requestId: Schema<RequestId> = nullable(firstOf(string(), integer()));
