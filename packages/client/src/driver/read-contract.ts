import type { ContractRow, StandardSchemaV1 } from "@turnkit/transport";

type Members = Readonly<Record<string, unknown>>;

/** Returns true for a JSON object. */
export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Makes a schema of an object with required members. The codec reads the other members, in every draft. */
// @__NO_SIDE_EFFECTS__
export function objectWith(
  required: Readonly<Record<string, (value: unknown) => boolean>> = {},
): StandardSchemaV1<unknown, Members> {
  return {
    "~standard": {
      version: 1,
      vendor: "turnkit",
      validate: (value) => {
        if (!isObject(value)) return { issues: [{ message: "expected an object" }] };
        const wrong = Object.keys(required).find((name) => required[name]?.(value[name]) !== true);
        return wrong === undefined ? { value } : { issues: [{ path: [wrong], message: "missing or malformed" }] };
      },
    },
  };
}

const anyObject = /* @__PURE__ */ objectWith();

// V1-RPC-08
/** Schema of an answer in which nothing is required. Older agents write it as `null`. */
export const objectOrNull: StandardSchemaV1<unknown, Members> = {
  "~standard": {
    version: 1,
    vendor: "turnkit",
    validate: (value) => anyObject["~standard"].validate(value ?? {}),
  },
};

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
