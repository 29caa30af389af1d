import { sessionId } from "../../both/identifiers.js";
import { mcpServerAcp } from "../../both/unstable/mcp-message.js";
import {
  sessionArchiveCapabilities,
  sessionArchiveFilter,
  sessionForkCapabilities,
  sessionStatus,
  sessionStatusCapabilities,
  sessionTitleCapabilities,
} from "../../both/unstable/session.js";
import {
  boolean,
  extend,
  extendVariants,
  type Infer,
  lenient,
  list,
  nullAsEmpty,
  nullable,
  object,
  optional,
  requiredOr,
  type Schema,
  sifted,
} from "../../vocabulary.js";
import * as stableServer from "../mcp-server.js";
import * as stable from "../session.js";
import { stateUpdate } from "./state.js";

const mcpAcpCapabilities_ = object({});
/**
 * Marker that the agent can talk to MCP servers through this connection. The marker counts if it is present and not
 * null.
 */
export interface McpAcpCapabilities extends Infer<typeof mcpAcpCapabilities_> {}
/** Validates {@link McpAcpCapabilities}. */
export const mcpAcpCapabilities: Schema<McpAcpCapabilities> = mcpAcpCapabilities_;

const mcpCapabilities_ = extend(stableServer.mcpCapabilities, {
  /** Support for servers through this connection. */
  acp: lenient(nullable(mcpAcpCapabilities)),
});
/** MCP transports of the agent. No transport is a default. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

// V2-MCP-07
/**
 * Error codes of `mcp/message` itself, for an inner request that was not delivered. An answer of the server is always a
 * result, even if it is an error.
 */
export const mcpErrorCodes = {
  /** Code for too many open requests to the server. */
  tooManyRequests: -33000,
  /** Code for a missing server. */
  serverUnavailable: -33001,
  /** Code for a failure of the server. */
  backendFailed: -33002,
} as const;

const mcpServer_ = extendVariants(stableServer.mcpServer, "type", { acp: mcpServerAcp });
/** MCP server to which the agent connects. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;

const sessionCapabilities_ = extend(stable.sessionCapabilities, {
  /** Support for transports of MCP. */
  mcp: lenient(nullable(mcpCapabilities)),
  /** Support for `session/fork`. */
  fork: lenient(nullable(sessionForkCapabilities)),
  /** Support for `session/archive` and `session/unarchive`. */
  archive: lenient(nullable(sessionArchiveCapabilities)),
  /** Support for `session/status`. */
  status: lenient(nullable(sessionStatusCapabilities)),
  /** Support for `session/set_title`. */
  title: lenient(nullable(sessionTitleCapabilities)),
});
/** Session methods of the agent. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const added = {
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer))),
};

const newSessionRequest_ = extend(stable.newSessionRequest, added);
/** Params of `session/new`. */
export interface NewSessionRequest extends Infer<typeof newSessionRequest_> {}
/** Validates a {@link NewSessionRequest}. */
export const newSessionRequest: Schema<NewSessionRequest> = newSessionRequest_;

const resumeSessionRequest_ = extend(stable.resumeSessionRequest, added);
/** Params of `session/resume`. */
export interface ResumeSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ResumeSessionRequest}. */
export const resumeSessionRequest: Schema<ResumeSessionRequest> = resumeSessionRequest_;

const forkSessionRequest_ = extend(newSessionRequest_, {
  /** Id of the session to copy. */
  sessionId,
});
// V2-SES-25
/**
 * Params of `session/fork`, which makes a new session with the content of this session. This session does not change.
 */
export interface ForkSessionRequest extends Infer<typeof forkSessionRequest_> {}
/** Validates a {@link ForkSessionRequest}. */
export const forkSessionRequest: Schema<ForkSessionRequest> = forkSessionRequest_;

/** Result of `session/fork`, with the new session, which is active immediately. */
export type ForkSessionResponse = stable.NewSessionResponse;
/** Validates a {@link ForkSessionResponse}. */
export const forkSessionResponse: Schema<ForkSessionResponse> = stable.newSessionResponse;

const sessionStatusResponse_ = object({
  /**
   * Storage state of the session. If the session is only in memory, it must be resumed on this connection before it is
   * used.
   */
  status: sessionStatus,
  /**
   * Current activity. It is a report and changes nothing. If it is absent, null or malformed, the session is not
   * necessarily idle.
   */
  state: lenient(nullable(stateUpdate)),
});
/** Result of `session/status`. */
export interface SessionStatusResponse extends Infer<typeof sessionStatusResponse_> {}
/** Validates a {@link SessionStatusResponse}. */
export const sessionStatusResponse: Schema<SessionStatusResponse> = sessionStatusResponse_;

const sessionInfo_ = extend(stable.sessionInfo, {
  /** `true` if the session is archived. Agents with `session.archive` set it for every session. */
  archived: lenient(nullable(boolean())),
});
/** Entry in a list of sessions. */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

const listSessionsRequest_ = extend(stable.listSessionsRequest, {
  /** Filter for archived sessions. It must be the same for every page. */
  archived: optional(nullable(sessionArchiveFilter)),
});
// V2-SES-26
/** Params of `session/list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = extend(stable.listSessionsResponse, {
  /** Sessions of this page. Malformed sessions are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
});
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
