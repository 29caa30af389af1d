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
/** Marker: the agent answers `session/list`. It counts when present and not null. */
export interface SessionListCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionListCapabilities}. */
export const sessionListCapabilities: Schema<SessionListCapabilities> = marker_;
/** Marker: the agent answers `session/delete`. It counts when present and not null. */
export interface SessionDeleteCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionDeleteCapabilities}. */
export const sessionDeleteCapabilities: Schema<SessionDeleteCapabilities> = marker_;
/** Marker: sessions may have more roots than their directory. It counts when present and not null. */
export interface SessionAdditionalDirectoriesCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionAdditionalDirectoriesCapabilities}. */
export const sessionAdditionalDirectoriesCapabilities: Schema<SessionAdditionalDirectoriesCapabilities> = marker_;
/** Marker: the agent answers `session/resume`. It counts when present and not null. */
export interface SessionResumeCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionResumeCapabilities}. */
export const sessionResumeCapabilities: Schema<SessionResumeCapabilities> = marker_;
/** Marker: the agent answers `session/close`. It counts when present and not null. */
export interface SessionCloseCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionCloseCapabilities}. */
export const sessionCloseCapabilities: Schema<SessionCloseCapabilities> = marker_;

const sessionCapabilities_ = object({
  /** `session/list`. */
  list: lenient(nullable(sessionListCapabilities)),
  /** `session/delete`. */
  delete: lenient(nullable(sessionDeleteCapabilities)),
  /** The member `additionalDirectories` of new, load and resume. */
  additionalDirectories: lenient(nullable(sessionAdditionalDirectoriesCapabilities)),
  /** `session/resume`. */
  resume: lenient(nullable(sessionResumeCapabilities)),
  /** `session/close`. */
  close: lenient(nullable(sessionCloseCapabilities)),
  /** The member `systemPrompt` of new, load and resume. */
  systemPrompt: lenient(nullable(sessionSystemPromptCapabilities)),
});
// V1-INIT-09
/** Session methods of the agent besides starting one. A member counts when it is present and not null. */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const systemPrompt_ = object({
  /** Effect of the system prompt: append or replace. */
  mode: systemPromptMode,
  /** Text of the system prompt: `text` blocks only, at least one. */
  content: list(promptContentBlock),
});
// V1-UNST-05, P-SYS-01
/** Instructions of the client for the whole session. */
export interface SystemPrompt extends Infer<typeof systemPrompt_> {}
/** Validates a {@link SystemPrompt}. */
export const systemPrompt: Schema<SystemPrompt> = systemPrompt_;

const rooted_ = object({
  /** The session's directory, as an absolute path; relative paths start from it. */
  cwd: string(),
  /** Further roots, as absolute paths; absent or null means none. On load and resume this is the complete new list. */
  additionalDirectories: optional(nullAsEmpty(list(string()))),
  /** Instructions for the whole session; malformed makes the request invalid. Send the same ones when restoring. */
  systemPrompt: optional(nullable(systemPrompt)),
});
const startState_ = object({
  /** The modes; malformed means absent. */
  modes: lenient(nullable(sessionModeState)),
  /** The config options; malformed ones are dropped. */
  configOptions: lenient(nullable(sifted(sessionConfigOption))),
  /** Models, as sent by agents of 2025. */
  models: lenient(nullable(sessionModelState)),
});

const newSessionRequest_ = extend(rooted_, {
  /** The MCP servers to connect to; the key is required, null reads as none. */
  mcpServers: nullAsEmpty(list(mcpServer)),
});
// V1-SESS-01
/** Params of `session/new`. */
export interface NewSessionRequest extends Infer<typeof newSessionRequest_> {}
/** Validates a {@link NewSessionRequest}. */
export const newSessionRequest: Schema<NewSessionRequest> = newSessionRequest_;

const newSessionResponse_ = extend(startState_, {
  /** The new session. */
  sessionId,
});
// V1-SESS-02, V1-SESS-04
/** Result of `session/new`. Updates of the session come after it. */
export interface NewSessionResponse extends Infer<typeof newSessionResponse_> {}
/** Validates a {@link NewSessionResponse}. */
export const newSessionResponse: Schema<NewSessionResponse> = newSessionResponse_;

const loadSessionRequest_ = extend(newSessionRequest_, {
  /** The session to load. */
  sessionId,
});
// V1-SESS-19, V1-SESS-20
/** Params of `session/load`, for agents with `loadSession`: the conversation is replayed before the answer. */
export interface LoadSessionRequest extends Infer<typeof loadSessionRequest_> {}
/** Validates a {@link LoadSessionRequest}. */
export const loadSessionRequest: Schema<LoadSessionRequest> = loadSessionRequest_;

// V1-SESS-24
/** Result of `session/load`: the replay is complete. */
export interface LoadSessionResponse extends Infer<typeof startState_> {}
/** Validates a {@link LoadSessionResponse}. */
export const loadSessionResponse: Schema<LoadSessionResponse> = startState_;

const resumeSessionRequest_ = extend(rooted_, {
  /** The session to resume. */
  sessionId,
  /** The MCP servers to connect to; absent or null means none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer))),
});
// V1-SESS-26
/** Params of `session/resume`, for agents with `sessionCapabilities.resume`: nothing is replayed. */
export interface ResumeSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ResumeSessionRequest}. */
export const resumeSessionRequest: Schema<ResumeSessionRequest> = resumeSessionRequest_;

// V1-SESS-27
/** Result of `session/resume`. */
export interface ResumeSessionResponse extends Infer<typeof startState_> {}
/** Validates a {@link ResumeSessionResponse}. */
export const resumeSessionResponse: Schema<ResumeSessionResponse> = startState_;

const oneSession_ = object({
  /** The session. */
  sessionId,
});
const nothing_ = object({});

// V1-SESS-35
/** Params of `session/close`: cancels the session's work and frees its resources. It can be restored. */
export interface CloseSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link CloseSessionRequest}. */
export const closeSessionRequest: Schema<CloseSessionRequest> = oneSession_;
/** Result of `session/close`. */
export interface CloseSessionResponse extends Infer<typeof nothing_> {}
/** Validates a {@link CloseSessionResponse}. */
export const closeSessionResponse: Schema<CloseSessionResponse> = nothing_;

// V1-SESS-40, V1-SESS-41
/** Params of `session/delete`: removes the session from lists. Deleting a missing session is no error. */
export interface DeleteSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link DeleteSessionRequest}. */
export const deleteSessionRequest: Schema<DeleteSessionRequest> = oneSession_;
/** Result of `session/delete`. */
export interface DeleteSessionResponse extends Infer<typeof nothing_> {}
/** Validates a {@link DeleteSessionResponse}. */
export const deleteSessionResponse: Schema<DeleteSessionResponse> = nothing_;

const sessionInfo_ = object({
  /** The session. */
  sessionId,
  /** Directory, as an absolute path. */
  cwd: string(),
  /** Complete list of further roots; absent means none. */
  additionalDirectories: lenientList(string()),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in ISO 8601. */
  updatedAt: lenient(nullable(string())),
});
// V1-SESS-30
/** Entry in a list of sessions. */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

const listSessionsRequest_ = object({
  /** Only sessions of this directory, as an absolute path. */
  cwd: optional(nullable(string())),
  /** Cursor of the page to read; opaque. */
  cursor: optional(nullable(string())),
});
// V1-SESS-28
/** Params of `session/list`, for agents with `sessionCapabilities.list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = object({
  /** The sessions of this page; malformed ones are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Cursor of the next page; absent or null on the last one. */
  nextCursor: lenient(nullable(string())),
});
// V1-SESS-29, V1-SESS-31
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
