import type { ContractRow, StandardSchemaV1 } from "@turnkit/transport";

type Members = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object. */
export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Makes a schema from a validator. */
// @__NO_SIDE_EFFECTS__
export function schemaOf<T = unknown>(
  validate: StandardSchemaV1<unknown, T>["~standard"]["validate"],
): StandardSchemaV1<unknown, T> {
  return { "~standard": { version: 1, vendor: "turnkit", validate } };
}

// V1-RPC-08
/** Schema of an answer without required members. Older agents send `null` instead. */
export const objectOrNull = /* @__PURE__ */ schemaOf<object>((value) =>
  isObject(value ?? {}) ? { value: value ?? {} } : { issues: [{ message: "expected an object" }] },
);

/** Makes the row of a request of the client, with the schema of its answer. */
// @__NO_SIDE_EFFECTS__
export function reads(result: StandardSchemaV1): ContractRow {
  return { from: "client", scope: "session", result };
}

/** Makes the row of a request whose answer may be `null`, as older agents send it. */
// V1-RPC-08
// @__NO_SIDE_EFFECTS__
export function readsOrNull(result: StandardSchemaV1): ContractRow {
  return reads(schemaOf((value) => result["~standard"].validate(value === null ? {} : value)));
}

/** Makes the row of a request or notification of the agent, with the schema of its params. */
// @__NO_SIDE_EFFECTS__
export function receives(params: StandardSchemaV1): ContractRow {
  return { from: "agent", scope: "session", params };
}
