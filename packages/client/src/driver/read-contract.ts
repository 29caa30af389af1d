import type { ContractRow, StandardSchemaV1 } from "@turnkit/transport";

/** A request that a client makes, by what it reads of the answer. */
// @__NO_SIDE_EFFECTS__
export function reads(result: StandardSchemaV1): ContractRow {
  return { from: "client", scope: "session", result };
}

/** What an agent asks or tells, by what a client reads of it. */
// @__NO_SIDE_EFFECTS__
export function hears(params: StandardSchemaV1): ContractRow {
  return { from: "agent", scope: "session", params };
}
