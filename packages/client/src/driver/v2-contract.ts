import * as v2 from "@turnkit/schema/v2";
import type { Contract, StandardSchemaV1 } from "@turnkit/transport";
import { isObject, reads, receives, schemaOf } from "./read-contract.js";

/** Makes a schema for an object with required members. The codec reads all other members. */
// @__NO_SIDE_EFFECTS__
export function objectWith(
  required: Readonly<Record<string, (value: unknown) => boolean>> = {},
): StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> {
  return schemaOf<Readonly<Record<string, unknown>>>((value) => {
    if (!isObject(value)) return { issues: [{ message: "expected an object" }] };
    const wrong = Object.keys(required).find((name) => required[name]?.(value[name]) !== true);
    return wrong === undefined ? { value } : { issues: [{ path: [wrong], message: "missing or malformed" }] };
  });
}

const isText = (value: unknown): boolean => typeof value === "string";

/** Schema of a permission question. Seed sends a tool call; the Preview sends a title and a subject. */
// V2-SEED-06
const permissionRequest = /* @__PURE__ */ schemaOf((value) =>
  isObject(value) && "toolCall" in value && !("title" in value)
    ? seedQuestion["~standard"].validate(value)
    : v2.requestPermissionRequest["~standard"].validate(value),
);

const seedQuestion = objectWith({
  sessionId: isText,
  toolCall: (value) => isObject(value) && isText(value.toolCallId),
  options: (value) => Array.isArray(value) && value.length > 0,
});

/**
 * Messages of version 2 that a client reads. The Preview and all drafts have the same version number, so the client
 * recognises each message by its form. Answers without members have no row.
 */
// V2-SEED-01, V2-DEC-12
export const v2ReadingContract: Contract = {
  "session/new": reads(objectWith({ sessionId: isText })),
  "session/list": reads(v2.listSessionsResponse),
  "session/prompt": reads(objectWith()),
  "session/set_config_option": reads(objectWith({ configOptions: Array.isArray })),
  "session/update": receives(objectWith({ sessionId: isText, update: isObject })),
  "session/request_permission": receives(permissionRequest),
};
