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
  openVariants,
  optional,
  requiredOr,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";
import { availableCommand } from "./command.js";
import { sessionConfigOption } from "./config-option.js";
import { contentBlock } from "./content.js";
import { mcpCapabilities, mcpServer } from "./mcp-server.js";
import { promptCapabilities } from "./prompt.js";

const marker_ = object({});
/** Marker that the agent answers `session/delete`. The marker counts if it is present and not null. */
export interface SessionDeleteCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionDeleteCapabilities}. */
export const sessionDeleteCapabilities: Schema<SessionDeleteCapabilities> = marker_;
/** Marker that sessions may have more roots than their directory. The marker counts if it is present and not null. */
export interface SessionAdditionalDirectoriesCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionAdditionalDirectoriesCapabilities}. */
export const sessionAdditionalDirectoriesCapabilities: Schema<SessionAdditionalDirectoriesCapabilities> = marker_;

const sessionCapabilities_ = object({
  /** Content types allowed in prompts. */
  prompt: lenient(nullable(promptCapabilities)),
  /** Support for transports of MCP. */
  mcp: lenient(nullable(mcpCapabilities)),
  /** Support for `session/delete`. */
  delete: lenient(nullable(sessionDeleteCapabilities)),
  /** Support for `additionalDirectories` in `session/new` and `session/resume`. */
  additionalDirectories: lenient(nullable(sessionAdditionalDirectoriesCapabilities)),
  /** Support for `systemPrompt` in `session/new` and `session/resume`. */
  systemPrompt: lenient(nullable(sessionSystemPromptCapabilities)),
});
// V2-INIT-16
/**
 * Session methods of the agent. If this capability is present, the agent answers new, list, resume, close, prompt and
 * cancel.
 */
export interface SessionCapabilities extends Infer<typeof sessionCapabilities_> {}
/** Validates {@link SessionCapabilities}. */
export const sessionCapabilities: Schema<SessionCapabilities> = sessionCapabilities_;

const systemPrompt_ = object({
  /** Effect of the system prompt on the agent's own system prompt. */
  mode: systemPromptMode,
  /**
   * Text of the system prompt. It has at least one block. All blocks have the type `text`, because the agent refuses
   * others.
   */
  content: list(contentBlock, 1),
});
// V2-SES-29, P-SYS-01, P-SYS-03
/** Instructions of the client for the whole session. */
export interface SystemPrompt extends Infer<typeof systemPrompt_> {}
/** Validates a {@link SystemPrompt}. */
export const systemPrompt: Schema<SystemPrompt> = systemPrompt_;

const newSessionRequest_ = object({
  /** Directory of the session. Relative paths are relative to it. */
  cwd: absolutePath,
  /** Further roots. If absent or null, there are none. On resume, this is the complete new list. */
  additionalDirectories: optional(nullAsEmpty(list(absolutePath))),
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer))),
  /**
   * Instructions for the whole session. A malformed value makes the request invalid. Send the same instructions when
   * you resume the session.
   */
  systemPrompt: optional(nullable(systemPrompt)),
});
// V2-SES-01
/** Params of `session/new`. */
export interface NewSessionRequest extends Infer<typeof newSessionRequest_> {}
/** Validates a {@link NewSessionRequest}. */
export const newSessionRequest: Schema<NewSessionRequest> = newSessionRequest_;

const startState_ = object({
  /**
   * Configuration options. Malformed options are dropped. If absent, there are none. An update that came before has
   * priority.
   */
  configOptions: lenientList(sessionConfigOption),
  /** Commands. Malformed commands are dropped. If absent, there are none. An update that came before has priority. */
  availableCommands: lenientList(availableCommand),
});
const newSessionResponse_ = extend(startState_, {
  /** Id of the new session. */
  sessionId,
});
// V2-SES-03, V2-SES-04
/** Result of `session/new`. Updates of the session may come before the result. */
export interface NewSessionResponse extends Infer<typeof newSessionResponse_> {}
/** Validates a {@link NewSessionResponse}. */
export const newSessionResponse: Schema<NewSessionResponse> = newSessionResponse_;

/** Replay that begins with the first message. */
export interface ReplayFromStart extends Infer<typeof marker_> {}
/** Validates a {@link ReplayFromStart}. */
export const replayFromStart: Schema<ReplayFromStart> = marker_;

const replayFrom_ = openVariants("type", { start: replayFromStart });
// V2-SES-08, V2-SES-09
/** Start of a replay. The agent refuses an unknown start. It must not resume the session without the replay. */
export type ReplayFrom = Infer<typeof replayFrom_> | never;
/** Validates a {@link ReplayFrom}. */
export const replayFrom: Schema<ReplayFrom> = replayFrom_;

const resumeSessionRequest_ = extend(newSessionRequest_, {
  /** Id of the session to resume. */
  sessionId,
  /**
   * Start of the replay before the answer. If absent or null, there is no replay. A malformed value makes the request
   * invalid.
   */
  replayFrom: optional(nullable(replayFrom)),
});
// V2-SES-07
/** Params of `session/resume`. */
export interface ResumeSessionRequest extends Infer<typeof resumeSessionRequest_> {}
/** Validates a {@link ResumeSessionRequest}. */
export const resumeSessionRequest: Schema<ResumeSessionRequest> = resumeSessionRequest_;

// V2-SES-10, V2-SES-11
/**
 * Result of `session/resume`. It comes after the replay and one `state_update`. That update is not a change of the
 * activity.
 */
export interface ResumeSessionResponse extends Infer<typeof startState_> {}
/** Validates a {@link ResumeSessionResponse}. */
export const resumeSessionResponse: Schema<ResumeSessionResponse> = startState_;

const oneSession_ = object({
  /** Id of the session. */
  sessionId,
});

// V2-SES-15
/**
 * Params of `session/close`, which ends all work, also background work, and frees resources. The session can be resumed
 * later.
 */
export interface CloseSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link CloseSessionRequest}. */
export const closeSessionRequest: Schema<CloseSessionRequest> = oneSession_;
// V2-SES-17
/** Result of `session/close`, which is the last message about this session on this connection. */
export interface CloseSessionResponse extends Infer<typeof marker_> {}
/** Validates a {@link CloseSessionResponse}. */
export const closeSessionResponse: Schema<CloseSessionResponse> = marker_;

// V2-SES-23
/**
 * Params of `session/delete`, for agents with `session.delete`. The session is removed from lists. It is not an error if
 * the session does not exist.
 */
export interface DeleteSessionRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link DeleteSessionRequest}. */
export const deleteSessionRequest: Schema<DeleteSessionRequest> = oneSession_;
/** Result of `session/delete`. */
export interface DeleteSessionResponse extends Infer<typeof marker_> {}
/** Validates a {@link DeleteSessionResponse}. */
export const deleteSessionResponse: Schema<DeleteSessionResponse> = marker_;

const sessionInfo_ = object({
  /** Id of the session. */
  sessionId,
  /** Directory. */
  cwd: absolutePath,
  /** Complete list of further roots, in order. If absent or null, no roots are known. */
  additionalDirectories: optional(nullAsEmpty(list(absolutePath))),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in the form of RFC 3339. */
  updatedAt: lenient(nullable(string())),
});
// V2-SES-22
/** Entry in a list of sessions. */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

/**
 * Cursor of a page of a list. It is valid on this connection only, and the client must not interpret it. The empty
 * string is a valid cursor.
 */
export type SessionListCursor = string;
/** Validates a {@link SessionListCursor}. */
export const sessionListCursor: Schema<SessionListCursor> = string();

const listSessionsRequest_ = object({
  /** Directory. Only sessions of exactly this directory are listed. */
  cwd: optional(nullable(absolutePath)),
  /** Cursor of the page to read. */
  cursor: optional(nullable(sessionListCursor)),
});
// V2-SES-20
/** Params of `session/list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = object({
  /** Sessions of this page. Malformed sessions are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Cursor of the next page. It is absent or null on the last page. A malformed value makes the result invalid. */
  nextCursor: optional(nullable(sessionListCursor)),
});
// V2-SES-20
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
