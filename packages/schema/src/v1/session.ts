import { sessionId } from "../both/identifiers.js";
import { sessionSystemPromptCapabilities, systemPromptMode } from "../both/system-prompt.js";
import {
  extend,
  type Infer,
  lenient,
  lenientList,
  list,
  nullAsEmpty,
  nullable,
  object,
  optional,
  requiredOr,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";
import { sessionConfigOption } from "./config-option.js";
import { promptContentBlock } from "./content.js";
import { mcpServer } from "./mcp-server.js";
import { sessionModelState, sessionModeState } from "./mode.js";

const marker_ = object({});
/** Marker that the agent answers `session/list`. The marker counts if it is present and not null. */
export interface SessionListCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionListCapabilities}. */
export const sessionListCapabilities: Schema<SessionListCapabilities> = marker_;
/** Marker that the agent answers `session/delete`. The marker counts if it is present and not null. */
export interface SessionDeleteCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionDeleteCapabilities}. */
export const sessionDeleteCapabilities: Schema<SessionDeleteCapabilities> = marker_;
/** Marker that sessions may have more roots than their directory. The marker counts if it is present and not null. */
export interface SessionAdditionalDirectoriesCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionAdditionalDirectoriesCapabilities}. */
export const sessionAdditionalDirectoriesCapabilities: Schema<SessionAdditionalDirectoriesCapabilities> = marker_;
/** Marker that the agent answers `session/resume`. The marker counts if it is present and not null. */
export interface SessionResumeCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionResumeCapabilities}. */
export const sessionResumeCapabilities: Schema<SessionResumeCapabilities> = marker_;
/** Marker that the agent answers `session/close`. The marker counts if it is present and not null. */
export interface SessionCloseCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionCloseCapabilities}. */
export const sessionCloseCapabilities: Schema<SessionCloseCapabilities> = marker_;

const sessionCapabilities_ = object({
  /** Support for `session/list`. */
  list: lenient(nullable(sessionListCapabilities)),
  /** Support for `session/delete`. */
  delete: lenient(nullable(sessionDeleteCapabilities)),
  /** Support for `additionalDirectories` in `session/new`, `session/load` and `session/resume`. */
  additionalDirectories: lenient(nullable(sessionAdditionalDirectoriesCapabilities)),
  /** Support for `session/resume`. */
  resume: lenient(nullable(sessionResumeCapabilities)),
  /** Support for `session/close`. */
  close: lenient(nullable(sessionCloseCapabilities)),
  /** Support for `systemPrompt` in `session/new`, `session/load` and `session/resume`. */
  systemPrompt: lenient(nullable(sessionSystemPromptCapabilities)),
});
// V1-INIT-09
/** Session methods of the agent, besides those that every agent has. A member counts if it is present and not null. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const systemPrompt_ = object({
  /** Effect of the system prompt on the agent's own system prompt. */
  mode: systemPromptMode,
  /** Text of the system prompt. It has at least one block, and all blocks have the type `text`. */
  content: list(promptContentBlock),
});
// V1-UNST-05, P-SYS-01
/** Instructions of the client for the whole session. */
export interface SystemPrompt extends Infer<typeof systemPrompt_> {}
/** Validates a {@link SystemPrompt}. */
export const systemPrompt: Schema<SystemPrompt> = systemPrompt_;

const rooted_ = object({
  /** Absolute path of the session's directory. Relative paths are relative to it. */
  cwd: string(),
  /**
   * Absolute paths of further roots. If absent or null, there are none. On load and resume, this is the complete new
   * list.
   */
  additionalDirectories: optional(nullAsEmpty(list(string()))),
  /**
   * Instructions for the whole session. A malformed value makes the request invalid. Send the same instructions when
   * you restore the session.
   */
  systemPrompt: optional(nullable(systemPrompt)),
});
const startState_ = object({
  /** Modes of the session. A malformed value counts as absent. */
  modes: lenient(nullable(sessionModeState)),
  /** Configuration options. Malformed options are dropped. */
  configOptions: lenient(nullable(sifted(sessionConfigOption))),
  /** Models of the session. Only agents of 2025 send them. */
  models: lenient(nullable(sessionModelState)),
});

const newSessionRequest_ = extend(rooted_, {
  /** MCP servers to which the agent connects. The key is required, and `null` means no servers. */
  mcpServers: nullAsEmpty(list(mcpServer)),
});
// V1-SESS-01
/** Params of `session/new`. */
export interface NewSessionRequest extends Infer<typeof newSessionRequest_> {}
/** Validates a {@link NewSessionRequest}. */
export const newSessionRequest: Schema<NewSessionRequest> = newSessionRequest_;

const newSessionResponse_ = extend(startState_, {
  /** Id of the new session. */
  sessionId,
});
// V1-SESS-02, V1-SESS-04
/** Result of `session/new`. Updates of the session come after the result. */
export interface NewSessionResponse extends Infer<typeof newSessionResponse_> {}
/** Validates a {@link NewSessionResponse}. */
export const newSessionResponse: Schema<NewSessionResponse> = newSessionResponse_;

const loadSessionRequest_ = extend(newSessionRequest_, {
  /** Id of the session to load. */
  sessionId,
});
// V1-SESS-19, V1-SESS-20
/** Params of `session/load`, for agents with `loadSession`. The conversation is replayed before the answer. */
export interface LoadSessionRequest extends Infer<typeof loadSessionRequest_> {}
/** Validates a {@link LoadSessionRequest}. */
export const loadSessionRequest: Schema<LoadSessionRequest> = loadSessionRequest_;

// V1-SESS-24
/** Result of `session/load`. The replay is complete. */
export interface LoadSessionResponse extends Infer<typeof startState_> {}
/** Validates a {@link LoadSessionResponse}. */
export const loadSessionResponse: Schema<LoadSessionResponse> = startState_;

const resumeSessionRequest_ = extend(rooted_, {
  /** Id of the session to resume. */
  sessionId,
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer))),
});
// V1-SESS-26
/** Params of `session/resume`, for agents with `sessionCapabilities.resume`. There is no replay. */
export interface ResumeSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ResumeSessionRequest}. */
export const resumeSessionRequest: Schema<ResumeSessionRequest> = resumeSessionRequest_;

// V1-SESS-27
/** Result of `session/resume`. */
export interface ResumeSessionResponse extends Infer<typeof startState_> {}
/** Validates a {@link ResumeSessionResponse}. */
export const resumeSessionResponse: Schema<ResumeSessionResponse> = startState_;

const oneSession_ = object({
  /** Id of the session. */
  sessionId,
});
const nothing_ = object({});

// V1-SESS-35
/**
 * Params of `session/close`, which cancels the session's work and frees its resources. The session can be restored
 * later.
 */
export interface CloseSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link CloseSessionRequest}. */
export const closeSessionRequest: Schema<CloseSessionRequest> = oneSession_;
/** Result of `session/close`. */
export interface CloseSessionResponse extends Infer<typeof nothing_> {}
/** Validates a {@link CloseSessionResponse}. */
export const closeSessionResponse: Schema<CloseSessionResponse> = nothing_;

// V1-SESS-40, V1-SESS-41
/** Params of `session/delete`, which removes the session from lists. It is not an error if the session does not exist. */
export interface DeleteSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link DeleteSessionRequest}. */
export const deleteSessionRequest: Schema<DeleteSessionRequest> = oneSession_;
/** Result of `session/delete`. */
export interface DeleteSessionResponse extends Infer<typeof nothing_> {}
/** Validates a {@link DeleteSessionResponse}. */
export const deleteSessionResponse: Schema<DeleteSessionResponse> = nothing_;

const sessionInfo_ = object({
  /** Id of the session. */
  sessionId,
  /** Absolute path of the directory. */
  cwd: string(),
  /** Complete list of further roots. If absent, there are none. */
  additionalDirectories: lenientList(string()),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in the form of ISO 8601. */
  updatedAt: lenient(nullable(string())),
});
// V1-SESS-30
/** Entry in a list of sessions. */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

const listSessionsRequest_ = object({
  /** Absolute path of a directory. Only sessions of this directory are listed. */
  cwd: optional(nullable(string())),
  /** Cursor of the page to read. The client must not interpret it. */
  cursor: optional(nullable(string())),
});
// V1-SESS-28
/** Params of `session/list`, for agents with `sessionCapabilities.list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = object({
  /** Sessions of this page. Malformed sessions are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Cursor of the next page. It is absent or null on the last page. */
  nextCursor: lenient(nullable(string())),
});
// V1-SESS-29, V1-SESS-31
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
