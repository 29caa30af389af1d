import { completeElicitationNotification } from "../both/elicitation.js";
import { type ContractParams, type ContractPart, type ContractResult, joinContracts } from "../contract.js";
import { nullAsEmpty } from "../vocabulary.js";
import * as auth from "./auth.js";
import * as cancel from "./cancel.js";
import * as configOption from "./config-option.js";
import * as elicitation from "./elicitation.js";
import * as fileSystem from "./file-system.js";
import * as initialize from "./initialize.js";
import * as mode from "./mode.js";
import * as permission from "./permission.js";
import * as prompt from "./prompt.js";
import * as session from "./session.js";
import * as terminal from "./terminal.js";
import * as update from "./update.js";

/** Messages that a client reads. They are the results of its requests, and the params of messages from agents. */
export const clientContract = {
  initialize: { from: "client", scope: "connection", result: initialize.initializeResponse },
  authenticate: { from: "client", scope: "connection", result: nullAsEmpty(auth.authenticateResponse) },
  logout: { from: "client", scope: "connection", result: nullAsEmpty(auth.logoutResponse) },
  "session/new": { from: "client", scope: "connection", result: session.newSessionResponse },
  "session/load": { from: "client", scope: "session", result: nullAsEmpty(session.loadSessionResponse) },
  "session/resume": { from: "client", scope: "session", result: nullAsEmpty(session.resumeSessionResponse) },
  "session/list": { from: "client", scope: "connection", result: session.listSessionsResponse },
  "session/close": { from: "client", scope: "session", result: nullAsEmpty(session.closeSessionResponse) },
  "session/delete": { from: "client", scope: "session", result: nullAsEmpty(session.deleteSessionResponse) },
  "session/prompt": { from: "client", scope: "session", result: prompt.promptResponse },
  "session/set_mode": { from: "client", scope: "session", result: nullAsEmpty(mode.setSessionModeResponse) },
  "session/set_config_option": {
    from: "client",
    scope: "session",
    result: configOption.setSessionConfigOptionResponse,
  },
  "session/set_model": { from: "client", scope: "session", result: nullAsEmpty(mode.setSessionModelResponse) },
  "session/update": { from: "agent", scope: "session", params: update.sessionNotification },
  "session/request_permission": { from: "agent", scope: "session", params: permission.requestPermissionRequest },
  "fs/read_text_file": { from: "agent", scope: "session", params: fileSystem.readTextFileRequest },
  "fs/write_text_file": { from: "agent", scope: "session", params: fileSystem.writeTextFileRequest },
  "terminal/create": { from: "agent", scope: "session", params: terminal.createTerminalRequest },
  "terminal/output": { from: "agent", scope: "session", params: terminal.terminalOutputRequest },
  "terminal/wait_for_exit": { from: "agent", scope: "session", params: terminal.waitForTerminalExitRequest },
  "terminal/kill": { from: "agent", scope: "session", params: terminal.killTerminalRequest },
  "terminal/release": { from: "agent", scope: "session", params: terminal.releaseTerminalRequest },
  "elicitation/create": { from: "agent", scope: "session", params: elicitation.createElicitationRequest },
  "elicitation/complete": { from: "agent", scope: "connection", params: completeElicitationNotification },
  "$/cancel_request": { from: "both", scope: "connection", params: cancel.cancelRequestNotification },
} as const satisfies ContractPart;

/** Messages that an agent reads. They are the params of messages from clients, and the results of its requests. */
export const agentContract = {
  initialize: { from: "client", scope: "connection", params: initialize.initializeRequest },
  authenticate: { from: "client", scope: "connection", params: auth.authenticateRequest },
  logout: { from: "client", scope: "connection", params: auth.logoutRequest },
  "session/new": { from: "client", scope: "connection", params: session.newSessionRequest },
  "session/load": { from: "client", scope: "session", params: session.loadSessionRequest },
  "session/resume": { from: "client", scope: "session", params: session.resumeSessionRequest },
  "session/list": { from: "client", scope: "connection", params: session.listSessionsRequest },
  "session/close": { from: "client", scope: "session", params: session.closeSessionRequest },
  "session/delete": { from: "client", scope: "session", params: session.deleteSessionRequest },
  "session/prompt": { from: "client", scope: "session", params: prompt.promptRequest },
  "session/cancel": { from: "client", scope: "session", params: cancel.cancelNotification },
  "session/set_mode": { from: "client", scope: "session", params: mode.setSessionModeRequest },
  "session/set_config_option": { from: "client", scope: "session", params: configOption.setSessionConfigOptionRequest },
  "session/set_model": { from: "client", scope: "session", params: mode.setSessionModelRequest },
  "session/request_permission": { from: "agent", scope: "session", result: permission.requestPermissionResponse },
  "fs/read_text_file": { from: "agent", scope: "session", result: fileSystem.readTextFileResponse },
  "fs/write_text_file": { from: "agent", scope: "session", result: nullAsEmpty(fileSystem.writeTextFileResponse) },
  "terminal/create": { from: "agent", scope: "session", result: terminal.createTerminalResponse },
  "terminal/output": { from: "agent", scope: "session", result: terminal.terminalOutputResponse },
  "terminal/wait_for_exit": { from: "agent", scope: "session", result: terminal.waitForTerminalExitResponse },
  "terminal/kill": { from: "agent", scope: "session", result: nullAsEmpty(terminal.killTerminalResponse) },
  "terminal/release": { from: "agent", scope: "session", result: nullAsEmpty(terminal.releaseTerminalResponse) },
  "elicitation/create": { from: "agent", scope: "session", result: elicitation.createElicitationResponse },
  "$/cancel_request": { from: "both", scope: "connection", params: cancel.cancelRequestNotification },
} as const satisfies ContractPart;

// V1-RPC-08
/** All methods of version 1. If a result may be empty, `null` is also accepted, because older peers send it. */
export const contract = /* @__PURE__ */ joinContracts(clientContract, agentContract);

/** Name of a method of this version. */
export type Method = keyof typeof contract;
/** Params of a method. */
export type ParamsOf<M extends Method> = ContractParams<typeof contract, M>;
/** Result of a method. The type is `never` for a notification. */
export type ResultOf<M extends Method> = ContractResult<typeof contract, M>;
