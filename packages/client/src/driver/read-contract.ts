import type { ContractRow, StandardSchemaV1 } from "@turnkit/transport";

/** A request that a client makes, by what it reads of the answer. */
// @__NO_SIDE_EFFECTS__
export function reads(result: StandardSchemaV1): ContractRow {
  return { from: "client", scope: "session", result };
}

/** The same for an answer that says nothing, for which older agents write `null` (V1-RPC-08). */
// @__NO_SIDE_EFFECTS__
export function readsOrNull(result: StandardSchemaV1): ContractRow {
  const validate = (value: unknown) => result["~standard"].validate(value === null ? {} : value);
  return reads({ "~standard": { version: 1, vendor: "turnkit", validate } });
}

/** What an agent asks or tells, by what a client reads of it. */
// @__NO_SIDE_EFFECTS__
export function hears(params: StandardSchemaV1): ContractRow {
  return { from: "agent", scope: "session", params };
}
