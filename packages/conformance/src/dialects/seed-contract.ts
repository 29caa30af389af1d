import {
  type Contract,
  extend,
  extendVariants,
  lenient,
  list,
  nullable,
  object,
  openEnum,
  openVariants,
  type Schema,
  sifted,
  string,
} from "@turnkit/schema";
import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";

const marker = () => lenient(nullable(object({})));

const initializeResponse = object({
  protocolVersion: v2.protocolVersion,
  agentInfo: lenient(nullable(v2.implementation)),
  capabilities: lenient(
    object({
      session: lenient(
        nullable(
          object({
            prompt: lenient(nullable(v2.promptCapabilities)),
            mcp: lenient(nullable(object({ stdio: marker(), http: marker() }))),
            ...{ load: marker(), list: marker(), resume: marker(), close: marker(), delete: marker() },
            additionalDirectories: marker(),
          }),
        ),
      ),
      auth: lenient(nullable(object({ logout: marker() }))),
    }),
  ),
  authMethods: lenient(list(object({ type: lenient(string()), id: string(), name: string() }))),
});

const toolCallUpdate = extend(v2.toolCallUpdate, {
  content: lenient(nullable(sifted(v1.toolCallContent as Schema))),
});

const planUpdate = object({
  plan: openVariants("type", { items: object({ id: string(), entries: sifted(v2.planEntry) }) }),
});

const sessionUpdate = extendVariants(v2.sessionUpdate, "sessionUpdate", {
  tool_call_update: toolCallUpdate,
  tool_call_content_chunk: object({ toolCallId: v2.toolCallId, content: v1.toolCallContent }),
  plan_update: planUpdate,
  available_commands_update: v1.availableCommandsUpdate,
  config_option_update: v1.configOptionUpdate,
});

const permissionRequest = object({
  sessionId: v2.sessionId,
  toolCall: toolCallUpdate,
  options: list(v2.permissionOption, 1),
});

const stopReason = openEnum("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled");

const row = (contract: Contract, method: string) => contract[method] as Contract[string];

/** Methods of the draft. Forms that the draft shares with another version have that version's schemas. */
// V2-SEED-24
export const contract: Contract = {
  ...v2.contract,
  ...Object.fromEntries(
    ["authenticate", "logout", "session/new", "session/load", "session/resume", "session/set_config_option"].map(
      (method) => [method, row(v1.contract, method)],
    ),
  ),
  initialize: {
    ...row(v1.contract, "initialize"),
    params: object({ protocolVersion: v2.protocolVersion }),
    result: initializeResponse,
  },
  "session/prompt": { ...row(v2.contract, "session/prompt"), result: object({ stopReason }) },
  "session/update": {
    ...row(v2.contract, "session/update"),
    params: object({ sessionId: v2.sessionId, update: sessionUpdate }),
  },
  "session/request_permission": { ...row(v2.contract, "session/request_permission"), params: permissionRequest },
};
