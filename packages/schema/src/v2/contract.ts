import { completeElicitationNotification } from "../both/elicitation.js";
import { type ContractParams, type ContractPart, type ContractResult, joinContracts } from "../contract.js";
import * as auth from "./auth.js";
import * as cancel from "./cancel.js";
import * as configOption from "./config-option.js";
import * as elicitation from "./elicitation.js";
import * as initialize from "./initialize.js";
import * as permission from "./permission.js";
import * as prompt from "./prompt.js";
import * as session from "./session.js";
import * as update from "./update.js";

/** Messages that a client reads. They are the results of its requests, and the params of messages from agents. */
export const clientContract = {
  initialize: { from: "client", scope: "connection", result: initialize.initializeResponse },
  "auth/login": { from: "client", scope: "connection", result: auth.loginAuthResponse },
  "auth/logout": { from: "client", scope: "connection", result: auth.logoutAuthResponse },
  "session/new": { from: "client", scope: "connection", result: session.newSessionResponse },
  "session/resume": { from: "client", scope: "session", result: session.resumeSessionResponse },
  "session/list": { from: "client", scope: "connection", result: session.listSessionsResponse },
  "session/close": { from: "client", scope: "session", result: session.closeSessionResponse },
  "session/delete": { from: "client", scope: "session", result: session.deleteSessionResponse },
  "session/prompt": { from: "client", scope: "session", result: prompt.promptResponse },
  "session/set_config_option": {
    from: "client",
    scope: "session",
    result: configOption.setSessionConfigOptionResponse,
  },
  "tool_call/cancel": { from: "client", scope: "session", result: cancel.cancelToolCallResponse },
  "terminal/cancel": { from: "client", scope: "session", result: cancel.cancelTerminalResponse },
  "session/update": { from: "agent", scope: "session", params: update.updateSessionNotification },
  "session/request_permission": { from: "agent", scope: "session", params: permission.requestPermissionRequest },
  "elicitation/create": { from: "agent", scope: "session", params: elicitation.createElicitationRequest },
  "elicitation/complete": { from: "agent", scope: "connection", params: completeElicitationNotification },
  "$/cancel_request": { from: "both", scope: "connection", params: cancel.cancelRequestNotification },
} as const satisfies ContractPart;

/** Messages that an agent reads. They are the params of messages from clients, and the results of its requests. */
export const agentContract = {
  initialize: { from: "client", scope: "connection", params: initialize.initializeRequest },
  "auth/login": { from: "client", scope: "connection", params: auth.loginAuthRequest },
  "auth/logout": { from: "client", scope: "connection", params: auth.logoutAuthRequest },
  "session/new": { from: "client", scope: "connection", params: session.newSessionRequest },
  "session/resume": { from: "client", scope: "session", params: session.resumeSessionRequest },
  "session/list": { from: "client", scope: "connection", params: session.listSessionsRequest },
  "session/close": { from: "client", scope: "session", params: session.closeSessionRequest },
  "session/delete": { from: "client", scope: "session", params: session.deleteSessionRequest },
  "session/prompt": { from: "client", scope: "session", params: prompt.promptRequest },
  "session/cancel": { from: "client", scope: "session", params: cancel.cancelSessionNotification },
  "session/set_config_option": { from: "client", scope: "session", params: configOption.setSessionConfigOptionRequest },
  "tool_call/cancel": { from: "client", scope: "session", params: cancel.cancelToolCallRequest },
  "terminal/cancel": { from: "client", scope: "session", params: cancel.cancelTerminalRequest },
  "session/request_permission": { from: "agent", scope: "session", result: permission.requestPermissionResponse },
  "elicitation/create": { from: "agent", scope: "session", result: elicitation.createElicitationResponse },
  "$/cancel_request": { from: "both", scope: "connection", params: cancel.cancelRequestNotification },
} as const satisfies ContractPart;

/** All methods of version 2, with their sender, scope, params and result. */
export const contract = /* @__PURE__ */ joinContracts(clientContract, agentContract);

/** Name of a method of this version. */
export type Method = keyof typeof contract;
/** Params of a method. */
export type ParamsOf<M extends Method> = ContractParams<typeof contract, M>;
/** Result of a method. The type is `never` for a notification. */
export type ResultOf<M extends Method> = ContractResult<typeof contract, M>;
