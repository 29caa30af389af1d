import type { ContractPart } from "../../contract.js";
import * as auth from "./auth-status.js";
import * as mcpMessage from "./mcp-message.js";
import * as provider from "./provider.js";
import * as session from "./session.js";

/** Unstable methods that are the same in both versions. */
export const bothContract = {
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
  "session/set_title": {
    from: "client",
    scope: "session",
    params: session.setSessionTitleRequest,
    result: session.setSessionTitleResponse,
  },
  "mcp/message": {
    from: "agent",
    scope: "connection",
    params: mcpMessage.messageMcpRequest,
    result: mcpMessage.messageMcpResponse,
    notification: { from: "client", params: mcpMessage.messageMcpNotification },
  },
} as const satisfies ContractPart;
