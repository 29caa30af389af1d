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
import { usage } from "../../both/unstable/usage.js";
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
import { sessionConfigOption } from "../config-option.js";
import * as stableServer from "../mcp-server.js";
import { sessionModeState } from "../mode.js";
import * as stablePrompt from "../prompt.js";
import * as stable from "../session.js";

const mcpCapabilities_ = extend(stableServer.mcpCapabilities, {
  /** `true` if the agent can reach MCP servers through this connection. */
  acp: lenient(boolean()),
});
/** MCP transports of the agent besides stdio. Only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServer_ = extendVariants(stableServer.mcpServer, "type", { acp: mcpServerAcp });
/** MCP server to which the agent connects. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;

const sessionCapabilities_ = extend(stable.sessionCapabilities, {
  /** Support for `session/fork`. */
  fork: lenient(nullable(sessionForkCapabilities)),
  /** Support for `session/archive` and `session/unarchive`. */
  archive: lenient(nullable(sessionArchiveCapabilities)),
  /** Support for `session/status`. */
  status: lenient(nullable(sessionStatusCapabilities)),
  /** Support for `session/set_title`. */
  title: lenient(nullable(sessionTitleCapabilities)),
});
/** Session methods of the agent, besides those that every agent has. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const requiredServers = {
  /** MCP servers to which the agent connects. The key is required, and `null` means no servers. */
  mcpServers: nullAsEmpty(list(mcpServer)),
};
const optionalServers = {
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer))),
};

const newSessionRequest_ = extend(stable.newSessionRequest, requiredServers);
/** Params of `session/new`. */
export interface NewSessionRequest extends Infer<typeof newSessionRequest_> {}
/** Validates a {@link NewSessionRequest}. */
export const newSessionRequest: Schema<NewSessionRequest> = newSessionRequest_;

const loadSessionRequest_ = extend(stable.loadSessionRequest, requiredServers);
/** Params of `session/load`. */
export interface LoadSessionRequest extends Infer<typeof loadSessionRequest_> {}
/** Validates a {@link LoadSessionRequest}. */
export const loadSessionRequest: Schema<LoadSessionRequest> = loadSessionRequest_;

const resumeSessionRequest_ = extend(stable.resumeSessionRequest, optionalServers);
/** Params of `session/resume`. */
export interface ResumeSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ResumeSessionRequest}. */
export const resumeSessionRequest: Schema<ResumeSessionRequest> = resumeSessionRequest_;

// V1-UNST-02
/**
 * Params of `session/fork`, which makes a new session with the content of this session. This session does not change.
 */
export interface ForkSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ForkSessionRequest}. */
export const forkSessionRequest: Schema<ForkSessionRequest> = resumeSessionRequest_;

const forkSessionResponse_ = object({
  /** Id of the new session, which is active immediately. */
  sessionId,
  /** Modes of the session. A malformed value counts as absent. */
  modes: lenient(nullable(sessionModeState)),
  /** Configuration options. Malformed options are dropped. */
  configOptions: lenient(nullable(sifted(sessionConfigOption))),
});
/** Result of `session/fork`. */
export interface ForkSessionResponse extends Infer<typeof forkSessionResponse_> {}
/** Validates a {@link ForkSessionResponse}. */
export const forkSessionResponse: Schema<ForkSessionResponse> = forkSessionResponse_;

const sessionStatusResponse_ = object({
  /**
   * Storage state of the session. If the session is only in memory, it must be loaded or resumed on this connection
   * before it is used.
   */
  status: sessionStatus,
});
/** Result of `session/status`. */
export interface SessionStatusResponse extends Infer<typeof sessionStatusResponse_> {}
/** Validates a {@link SessionStatusResponse}. */
export const sessionStatusResponse: Schema<SessionStatusResponse> = sessionStatusResponse_;

const promptResponse_ = extend(stablePrompt.promptResponse, {
  /** Numbers of used tokens. */
  usage: lenient(nullable(usage)),
});
// V1-UNST-01
/** Result of `session/prompt`. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;

const sessionInfo_ = extend(stable.sessionInfo, {
  /** `true` if the session is archived. Agents with `sessionCapabilities.archive` set it for every session. */
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
// V1-UNST-03
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
