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
/** Marker: the agent can talk to MCP servers through this connection. It counts when present and not null. */
export interface McpAcpCapabilities extends Infer<typeof mcpAcpCapabilities_> {}
/** Validates {@link McpAcpCapabilities}. */
export const mcpAcpCapabilities: Schema<McpAcpCapabilities> = mcpAcpCapabilities_;

const mcpCapabilities_ = extend(stableServer.mcpCapabilities, {
  /** Servers through this connection. */
  acp: lenient(nullable(mcpAcpCapabilities)),
});
/** MCP transports of the agent; there is no default. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

// V2-MCP-07
/**
 * Codes of errors of `mcp/message` itself: the inner request could not be delivered. An answer of the server, even an
 * error, is a result.
 */
export const mcpErrorCodes = {
  /** Too many open requests to the server. */
  tooManyRequests: -33000,
  /** Missing server. */
  serverUnavailable: -33001,
  /** Failure of the server. */
  backendFailed: -33002,
} as const;

const mcpServer_ = extendVariants(stableServer.mcpServer, "type", { acp: mcpServerAcp });
/** An MCP server for the agent to connect to. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;

const sessionCapabilities_ = extend(stable.sessionCapabilities, {
  /** MCP transports. */
  mcp: lenient(nullable(mcpCapabilities)),
  /** `session/fork`. */
  fork: lenient(nullable(sessionForkCapabilities)),
  /** `session/archive` and `session/unarchive`. */
  archive: lenient(nullable(sessionArchiveCapabilities)),
  /** `session/status`. */
  status: lenient(nullable(sessionStatusCapabilities)),
  /** `session/set_title`. */
  title: lenient(nullable(sessionTitleCapabilities)),
});
/** Session methods of the agent. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const added = {
  /** The MCP servers to connect to; absent or null means none. */
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
  /** Session to copy. */
  sessionId,
});
// V2-SES-25
/** Params of `session/fork`: makes a new session with the contents of this one, which does not change. */
export interface ForkSessionRequest extends Infer<typeof forkSessionRequest_> {}
/** Validates a {@link ForkSessionRequest}. */
export const forkSessionRequest: Schema<ForkSessionRequest> = forkSessionRequest_;

/** Result of `session/fork`: the new session, active at once. */
export type ForkSessionResponse = stable.NewSessionResponse;
/** Validates a {@link ForkSessionResponse}. */
export const forkSessionResponse: Schema<ForkSessionResponse> = stable.newSessionResponse;

const sessionStatusResponse_ = object({
  /** Storage state of the session. A session in memory must be resumed on this connection before its use. */
  status: sessionStatus,
  /** Current activity. It is a snapshot and changes nothing. Absent, null or malformed does not mean idle. */
  state: lenient(nullable(stateUpdate)),
});
/** Result of `session/status`. */
export interface SessionStatusResponse extends Infer<typeof sessionStatusResponse_> {}
/** Validates a {@link SessionStatusResponse}. */
export const sessionStatusResponse: Schema<SessionStatusResponse> = sessionStatusResponse_;

const sessionInfo_ = extend(stable.sessionInfo, {
  /** True if the session is archived. Present on every entry of an agent with `session.archive`. */
  archived: lenient(nullable(boolean())),
});
/** Entry in a list of sessions. */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

const listSessionsRequest_ = extend(stable.listSessionsRequest, {
  /** Filter for archived sessions; the same for every page. */
  archived: optional(nullable(sessionArchiveFilter)),
});
// V2-SES-26
/** Params of `session/list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = extend(stable.listSessionsResponse, {
  /** The sessions of this page; malformed ones are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
});
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
