import * as auth from "../../both/unstable/auth-status.js";
import * as mcpMessage from "../../both/unstable/mcp-message.js";
import * as provider from "../../both/unstable/provider.js";
import type { Contract, ContractParams, ContractResult } from "../../contract.js";
import type { contract } from "../contract.js";
import { initializeRequest } from "../initialize.js";
import * as stable from "../session.js";
import * as initialize from "./initialize.js";
import * as session from "./session.js";
import * as sessionInfo from "./session-info.js";
import * as update from "./update.js";

/**
 * The methods that the unstable part of version 2 adds, and those whose params or result it extends. Spread it over
 * `contract` to use it: `{ ...contract, ...unstableContract }`.
 */
export const unstableContract = {
  initialize: {
    from: "client",
    scope: "connection",
    params: initializeRequest,
    result: initialize.initializeResponse,
  },
  "auth/status": {
    from: "client",
    scope: "connection",
    params: auth.authStatusRequest,
    result: auth.authStatusResponse,
  },
  "auth/status_update": { from: "agent", scope: "connection", params: auth.authStatusUpdateNotification },
  "providers/list": {
    from: "client",
    scope: "connection",
    params: provider.listProvidersRequest,
    result: provider.listProvidersResponse,
  },
  "providers/set": {
    from: "client",
    scope: "connection",
    params: provider.setProviderRequest,
    result: provider.setProviderResponse,
  },
  "providers/disable": {
    from: "client",
    scope: "connection",
    params: provider.disableProviderRequest,
    result: provider.disableProviderResponse,
  },
  "session/new": {
    from: "client",
    scope: "connection",
    params: session.newSessionRequest,
    result: stable.newSessionResponse,
  },
  "session/resume": {
    from: "client",
    scope: "session",
    params: session.resumeSessionRequest,
    result: stable.resumeSessionResponse,
  },
  "session/fork": {
    from: "client",
    scope: "session",
    params: session.forkSessionRequest,
    result: session.forkSessionResponse,
  },
  "session/list": {
    from: "client",
    scope: "connection",
    params: sessionInfo.listSessionsRequest,
    result: sessionInfo.listSessionsResponse,
  },
  "session/archive": {
    from: "client",
    scope: "session",
    params: session.archiveSessionRequest,
    result: session.archiveSessionResponse,
  },
  "session/unarchive": {
    from: "client",
    scope: "session",
    params: session.unarchiveSessionRequest,
    result: session.unarchiveSessionResponse,
  },
  "session/status": {
    from: "client",
    scope: "session",
    params: session.sessionStatusRequest,
    result: session.sessionStatusResponse,
  },
  "session/set_title": {
    from: "client",
    scope: "session",
    params: session.setSessionTitleRequest,
    result: session.setSessionTitleResponse,
  },
  "session/update": { from: "agent", scope: "session", params: update.updateSessionNotification },
  "mcp/message": {
    from: "agent",
    scope: "connection",
    params: mcpMessage.messageMcpRequest,
    result: mcpMessage.messageMcpResponse,
    notification: { from: "client", params: mcpMessage.messageMcpNotification },
  },
} as const satisfies Contract;

type Merged = Omit<typeof contract, keyof typeof unstableContract> & typeof unstableContract;

/** The name of a method of this version, unstable ones included. */
export type Method = keyof Merged;
/** The params of a method. */
export type ParamsOf<M extends Method> = ContractParams<Merged, M>;
/** The result of a method; `never` for a notification. */
export type ResultOf<M extends Method> = ContractResult<Merged, M>;
