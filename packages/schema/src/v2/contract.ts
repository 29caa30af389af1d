import type { Contract } from "../contract.js";
import type { Infer } from "../schema.js";
import * as auth from "./auth.js";
import * as cancel from "./cancel.js";
import * as configOption from "./config-option.js";
import * as elicitation from "./elicitation.js";
import * as initialize from "./initialize.js";
import * as permission from "./permission.js";
import * as prompt from "./prompt.js";
import * as session from "./session.js";
import * as sessionInfo from "./session-info.js";
import * as update from "./update.js";

/** Every method of version 2: who sends it, where it belongs, what its params and its result are. */
export const contract = {
  initialize: {
    from: "client",
    scope: "connection",
    params: initialize.initializeRequest,
    result: initialize.initializeResponse,
  },
  "auth/login": {
    from: "client",
    scope: "connection",
    params: auth.loginAuthRequest,
    result: auth.loginAuthResponse,
  },
  "auth/logout": {
    from: "client",
    scope: "connection",
    params: auth.logoutAuthRequest,
    result: auth.logoutAuthResponse,
  },
  "session/new": {
    from: "client",
    scope: "connection",
    params: session.newSessionRequest,
    result: session.newSessionResponse,
  },
  "session/resume": {
    from: "client",
    scope: "session",
    params: session.resumeSessionRequest,
    result: session.resumeSessionResponse,
  },
  "session/list": {
    from: "client",
    scope: "connection",
    params: sessionInfo.listSessionsRequest,
    result: sessionInfo.listSessionsResponse,
  },
  "session/close": {
    from: "client",
    scope: "session",
    params: session.closeSessionRequest,
    result: session.closeSessionResponse,
  },
  "session/delete": {
    from: "client",
    scope: "session",
    params: session.deleteSessionRequest,
    result: session.deleteSessionResponse,
  },
  "session/prompt": { from: "client", scope: "session", params: prompt.promptRequest, result: prompt.promptResponse },
  "session/cancel": { from: "client", scope: "session", params: cancel.cancelSessionNotification },
  "session/set_config_option": {
    from: "client",
    scope: "session",
    params: configOption.setSessionConfigOptionRequest,
    result: configOption.setSessionConfigOptionResponse,
  },
  "tool_call/cancel": {
    from: "client",
    scope: "session",
    params: cancel.cancelToolCallRequest,
    result: cancel.cancelToolCallResponse,
  },
  "terminal/cancel": {
    from: "client",
    scope: "session",
    params: cancel.cancelTerminalRequest,
    result: cancel.cancelTerminalResponse,
  },
  "session/update": { from: "agent", scope: "session", params: update.updateSessionNotification },
  "session/request_permission": {
    from: "agent",
    scope: "session",
    params: permission.requestPermissionRequest,
    result: permission.requestPermissionResponse,
  },
  "elicitation/create": {
    from: "agent",
    scope: "session",
    params: elicitation.createElicitationRequest,
    result: elicitation.createElicitationResponse,
  },
  "elicitation/complete": { from: "agent", scope: "connection", params: elicitation.completeElicitationNotification },
  "$/cancel_request": { from: "both", scope: "connection", params: cancel.cancelRequestNotification },
} as const satisfies Contract;

/** The name of a method of this version. */
export type Method = keyof typeof contract;
/** The params of a method. */
export type ParamsOf<M extends Method> = Infer<(typeof contract)[M]["params"]>;
/** The result of a method; `never` for a notification. */
export type ResultOf<M extends Method> = (typeof contract)[M] extends { readonly result: infer R }
  ? R extends { readonly _zod: { readonly output: infer T } }
    ? T
    : never
  : never;
