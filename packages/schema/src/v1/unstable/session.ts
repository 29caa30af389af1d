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
  /** True if the agent can talk to MCP servers through this connection. */
  acp: lenient(boolean()),
});
/** MCP transports of the agent besides stdio; only `true` counts. */
export interface McpCapabilities extends Infer<typeof mcpCapabilities_> {}
/** Validates {@link McpCapabilities}. */
export const mcpCapabilities: Schema<McpCapabilities> = mcpCapabilities_;

const mcpServer_ = extendVariants(stableServer.mcpServer, "type", { acp: mcpServerAcp });
/** An MCP server for the agent to connect to. */
export type McpServer = Infer<typeof mcpServer_> | never;
/** Validates an {@link McpServer}. */
export const mcpServer: Schema<McpServer> = mcpServer_;

const sessionCapabilities_ = extend(stable.sessionCapabilities, {
  /** `session/fork`. */
  fork: lenient(nullable(sessionForkCapabilities)),
  /** `session/archive` and `session/unarchive`. */
  archive: lenient(nullable(sessionArchiveCapabilities)),
  /** `session/status`. */
  status: lenient(nullable(sessionStatusCapabilities)),
  /** `session/set_title`. */
  title: lenient(nullable(sessionTitleCapabilities)),
});
/** Session methods of the agent besides starting one. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const requiredServers = {
  /** The MCP servers to connect to; the key is required, null reads as none. */
  mcpServers: nullAsEmpty(list(mcpServer)),
};
const optionalServers = {
  /** The MCP servers to connect to; absent or null means none. */
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
/** Params of `session/fork`: makes a new session with the contents of this one, which does not change. */
export interface ForkSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ForkSessionRequest}. */
export const forkSessionRequest: Schema<ForkSessionRequest> = resumeSessionRequest_;

const forkSessionResponse_ = object({
  /** The new session, active at once. */
  sessionId,
  /** The modes; malformed means absent. */
  modes: lenient(nullable(sessionModeState)),
  /** The config options; malformed ones are dropped. */
  configOptions: lenient(nullable(sifted(sessionConfigOption))),
});
/** Result of `session/fork`. */
export interface ForkSessionResponse extends Infer<typeof forkSessionResponse_> {}
/** Validates a {@link ForkSessionResponse}. */
export const forkSessionResponse: Schema<ForkSessionResponse> = forkSessionResponse_;

const sessionStatusResponse_ = object({
  /** Storage state of the session. A session in memory must be loaded or resumed on this connection before its use. */
  status: sessionStatus,
});
/** Result of `session/status`. */
export interface SessionStatusResponse extends Infer<typeof sessionStatusResponse_> {}
/** Validates a {@link SessionStatusResponse}. */
export const sessionStatusResponse: Schema<SessionStatusResponse> = sessionStatusResponse_;

const promptResponse_ = extend(stablePrompt.promptResponse, {
  /** Tokens used. */
  usage: lenient(nullable(usage)),
});
// V1-UNST-01
/** Result of `session/prompt`. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;

const sessionInfo_ = extend(stable.sessionInfo, {
  /** True if the session is archived. Present on every entry of an agent with `sessionCapabilities.archive`. */
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
// V1-UNST-03
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
