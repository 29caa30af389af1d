import * as v2 from "@turnkit/schema/v2";
import { type Asking, type Calls, v2ClientCodec } from "@turnkit/session/codec";
import type { Contract, StandardSchemaV1 } from "@turnkit/transport";
import { hears, reads } from "./read-contract.js";

type Members = Readonly<Record<string, unknown>>;

/** Call `initialize` of version 2 and its drafts. Its answer is read by its shape. */
// V2-SEED-04
export const initialize = /* @__PURE__ */ v2ClientCodec.ask("initialize") as Asking<Calls["initialize"]>;

const isObject = (value: unknown): value is Members =>
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

const isText = (value: unknown): boolean => typeof value === "string";

/** Schema of an object that older writers may send as `null`. */
const nothingMuch: StandardSchemaV1<unknown, Members> = {
  "~standard": {
    version: 1,
    vendor: "turnkit",
    validate: (value) => objectWith()["~standard"].validate(value ?? {}),
  },
};

/** Schema of a permission question. Seed sends a tool call, later drafts a title and a subject. */
// V2-SEED-06
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
 * Messages of version 2 that a client reads. All drafts share a version number, so each message is read by its shape.
 */
// V2-SEED-01, V2-DEC-12
export const draftContract: Contract = {
  "auth/login": reads(v2.loginAuthResponse),
  "auth/logout": reads(v2.logoutAuthResponse),
  "session/new": reads(objectWith({ sessionId: isText })),
  "session/resume": reads(nothingMuch),
  "session/list": reads(v2.listSessionsResponse),
  "session/close": reads(v2.closeSessionResponse),
  "session/delete": reads(v2.deleteSessionResponse),
  "session/prompt": reads(objectWith()),
  "session/set_config_option": reads(objectWith({ configOptions: Array.isArray })),
  "tool_call/cancel": reads(v2.cancelToolCallResponse),
  "terminal/cancel": reads(v2.cancelTerminalResponse),
  "session/update": hears(objectWith({ sessionId: isText, update: isObject })),
  "session/request_permission": hears(permissionRequest),
  // Calls of seed alone.
  authenticate: reads(v2.loginAuthResponse),
  logout: reads(v2.logoutAuthResponse),
  "session/load": reads(nothingMuch),
};
