import type { Contract } from "../contract.js";
import type { Infer } from "../schema.js";
import { nullAsEmpty } from "../vocabulary.js";
import * as auth from "./auth.js";
import * as cancel from "./cancel.js";
import * as configOption from "./config-option.js";
import * as elicitation from "./elicitation.js";
import * as fileSystem from "./file-system.js";
import * as initialize from "./initialize.js";
import * as mode from "./mode.js";
import * as model from "./model.js";
import * as permission from "./permission.js";
import * as prompt from "./prompt.js";
import * as session from "./session.js";
import * as sessionInfo from "./session-info.js";
import * as terminal from "./terminal.js";
import * as update from "./update.js";

/**
 * Every method of version 1: who sends it, where it belongs, what its params and its result are. A result that may be
 * empty is also read from `null`, which older peers send.
 * @see V1-RPC-08
 */
export const contract = {
  initialize: {
    from: "client",
    scope: "connection",
    params: initialize.initializeRequest,
    result: initialize.initializeResponse,
  },
  authenticate: {
    from: "client",
    scope: "connection",
    params: auth.authenticateRequest,
    result: nullAsEmpty(auth.authenticateResponse),
  },
  logout: { from: "client", scope: "connection", params: auth.logoutRequest, result: nullAsEmpty(auth.logoutResponse) },
  "session/new": {
    from: "client",
    scope: "connection",
    params: session.newSessionRequest,
    result: session.newSessionResponse,
  },
  "session/load": {
    from: "client",
    scope: "session",
    params: session.loadSessionRequest,
    result: nullAsEmpty(session.loadSessionResponse),
  },
  "session/resume": {
    from: "client",
    scope: "session",
    params: session.resumeSessionRequest,
    result: nullAsEmpty(session.resumeSessionResponse),
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
    result: nullAsEmpty(session.closeSessionResponse),
  },
  "session/delete": {
    from: "client",
    scope: "session",
    params: session.deleteSessionRequest,
    result: nullAsEmpty(session.deleteSessionResponse),
  },
  "session/prompt": { from: "client", scope: "session", params: prompt.promptRequest, result: prompt.promptResponse },
  "session/cancel": { from: "client", scope: "session", params: cancel.cancelNotification },
  "session/set_mode": {
    from: "client",
    scope: "session",
    params: mode.setSessionModeRequest,
    result: nullAsEmpty(mode.setSessionModeResponse),
  },
  "session/set_config_option": {
    from: "client",
    scope: "session",
    params: configOption.setSessionConfigOptionRequest,
    result: configOption.setSessionConfigOptionResponse,
  },
  "session/set_model": {
    from: "client",
    scope: "session",
    params: model.setSessionModelRequest,
    result: nullAsEmpty(model.setSessionModelResponse),
  },
  "session/update": { from: "agent", scope: "session", params: update.sessionNotification },
  "session/request_permission": {
    from: "agent",
    scope: "session",
    params: permission.requestPermissionRequest,
    result: permission.requestPermissionResponse,
  },
  "fs/read_text_file": {
    from: "agent",
    scope: "session",
    params: fileSystem.readTextFileRequest,
    result: fileSystem.readTextFileResponse,
  },
  "fs/write_text_file": {
    from: "agent",
    scope: "session",
    params: fileSystem.writeTextFileRequest,
    result: nullAsEmpty(fileSystem.writeTextFileResponse),
  },
  "terminal/create": {
    from: "agent",
    scope: "session",
    params: terminal.createTerminalRequest,
    result: terminal.createTerminalResponse,
  },
  "terminal/output": {
    from: "agent",
    scope: "session",
    params: terminal.terminalOutputRequest,
    result: terminal.terminalOutputResponse,
  },
  "terminal/wait_for_exit": {
    from: "agent",
    scope: "session",
    params: terminal.waitForTerminalExitRequest,
    result: terminal.waitForTerminalExitResponse,
  },
  "terminal/kill": {
    from: "agent",
    scope: "session",
    params: terminal.killTerminalRequest,
    result: nullAsEmpty(terminal.killTerminalResponse),
  },
  "terminal/release": {
    from: "agent",
    scope: "session",
    params: terminal.releaseTerminalRequest,
    result: nullAsEmpty(terminal.releaseTerminalResponse),
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
