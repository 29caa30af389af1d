import type { ContractRow, StandardSchemaV1 } from "@turnkit/transport";

/** Makes the row of a request of the client, with the schema of its answer. */
// @__NO_SIDE_EFFECTS__
export function reads(result: StandardSchemaV1): ContractRow {
  return { from: "client", scope: "session", result };
}

/** Makes the row of a request whose answer older agents write as `null`. */
// V1-RPC-08
// @__NO_SIDE_EFFECTS__
export function readsOrNull(result: StandardSchemaV1): ContractRow {
  const validate = (value: unknown) => result["~standard"].validate(value === null ? {} : value);
  return reads({ "~standard": { version: 1, vendor: "turnkit", validate } });
}

/** Makes the row of a request or notification of the agent, with the schema of its params. */
// @__NO_SIDE_EFFECTS__
export function hears(params: StandardSchemaV1): ContractRow {
  return { from: "agent", scope: "session", params };
}
