import * as v2 from "@turnkit/schema/v2";
import { type CallCodec, type Calls, v2Codec } from "@turnkit/session";
import type { Contract, StandardSchemaV1 } from "@turnkit/transport";

type Members = Readonly<Record<string, unknown>>;

/** Agents of all drafts answer one `initialize`, which is read by its shape (V2-SEED-04). */
export const initialize = v2Codec.call("initialize") as CallCodec<Calls["initialize"]>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object; `required` names members and how to tell them. The rest is for the codec, which reads every draft. */
function objectWith(
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

const isText = (value: unknown): boolean => typeof value === "string";

/** An object, also where older writers answer `null`. */
const nothingMuch: StandardSchemaV1<unknown, Members> = {
  "~standard": {
    version: 1,
    vendor: "turnkit",
    validate: (value) => objectWith()["~standard"].validate(value ?? {}),
  },
};

/** Seed asks about a tool call where later drafts have a title and a subject (V2-SEED-06). */
const permissionRequest: StandardSchemaV1 = {
  "~standard": {
    version: 1,
    vendor: "turnkit",
    validate: (value) =>
      isObject(value) && "toolCall" in value && !("title" in value)
        ? seedQuestion["~standard"].validate(value)
        : v2.requestPermissionRequest["~standard"].validate(value),
  },
};

const seedQuestion = objectWith({
  sessionId: isText,
  toolCall: (value) => isObject(value) && isText(value.toolCallId),
  options: (value) => Array.isArray(value) && value.length > 0,
});

/**
 * The methods of version 2, where what an agent says may be of any draft: they share a version number, so each message
 * is read by its shape (V2-SEED-01, V2-DEC-12). What is sent is checked by today's schema.
 */
export const draftContract: Contract = {
  ...v2.contract,
  "session/new": { ...v2.contract["session/new"], result: objectWith({ sessionId: isText }) },
  "session/resume": { ...v2.contract["session/resume"], result: nothingMuch },
  "session/prompt": { ...v2.contract["session/prompt"], result: objectWith() },
  "session/set_config_option": {
    ...v2.contract["session/set_config_option"],
    result: objectWith({ configOptions: Array.isArray }),
  },
  "session/update": { ...v2.contract["session/update"], params: objectWith({ sessionId: isText, update: isObject }) },
  "session/request_permission": { ...v2.contract["session/request_permission"], params: permissionRequest },
  // What only seed has; today's agents are not asked.
  authenticate: v2.contract["auth/login"],
  logout: v2.contract["auth/logout"],
  "session/load": { ...v2.contract["session/resume"], result: nothingMuch },
};

/** The same where the other side is of seed for sure: who says hello is not named by `info` there. */
export const seedContract: Contract = {
  ...draftContract,
  initialize: { ...v2.contract.initialize, params: objectWith({ protocolVersion: Number.isInteger }) },
};
