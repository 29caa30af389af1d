import { extend, type Infer, object, openEnum, type Schema, string } from "../../vocabulary.js";
import { sessionId } from "../identifiers.js";

const marker_ = object({});
/** Marker that the agent answers `session/fork`. The marker counts if it is present and not null. */
export interface SessionForkCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionForkCapabilities}. */
export const sessionForkCapabilities: Schema<SessionForkCapabilities> = marker_;
/**
 * Marker that the agent answers `session/archive` and `session/unarchive`. The marker counts if it is present and not
 * null.
 */
export interface SessionArchiveCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionArchiveCapabilities}. */
export const sessionArchiveCapabilities: Schema<SessionArchiveCapabilities> = marker_;
/** Marker that the agent answers `session/status`. The marker counts if it is present and not null. */
export interface SessionStatusCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionStatusCapabilities}. */
export const sessionStatusCapabilities: Schema<SessionStatusCapabilities> = marker_;
/** Marker that the agent answers `session/set_title`. The marker counts if it is present and not null. */
export interface SessionTitleCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionTitleCapabilities}. */
export const sessionTitleCapabilities: Schema<SessionTitleCapabilities> = marker_;

const oneSession_ = object({
  /** Id of the session. */
  sessionId,
});
// V1-UNST-03, V2-SES-26
/** Params of `session/archive`, which closes the session and removes it from lists. Its history is not deleted. */
export interface ArchiveSessionRequest extends Infer<typeof oneSession_> {}
/** Validates an {@link ArchiveSessionRequest}. */
export const archiveSessionRequest: Schema<ArchiveSessionRequest> = oneSession_;
/** Result of `session/archive`. */
export interface ArchiveSessionResponse extends Infer<typeof marker_> {}
/** Validates an {@link ArchiveSessionResponse}. */
export const archiveSessionResponse: Schema<ArchiveSessionResponse> = marker_;

/** Params of `session/unarchive`, which adds the session to lists again. The session is not loaded. */
export interface UnarchiveSessionRequest extends Infer<typeof oneSession_> {}
/** Validates an {@link UnarchiveSessionRequest}. */
export const unarchiveSessionRequest: Schema<UnarchiveSessionRequest> = oneSession_;
/** Result of `session/unarchive`. */
export interface UnarchiveSessionResponse extends Infer<typeof marker_> {}
/** Validates an {@link UnarchiveSessionResponse}. */
export const unarchiveSessionResponse: Schema<UnarchiveSessionResponse> = marker_;

const sessionArchiveFilter_ = openEnum("exclude", "include", "only");
/**
 * Filter for archived sessions. Without a filter, archived sessions are left out. The agent refuses unknown filters.
 */
export type SessionArchiveFilter = Infer<typeof sessionArchiveFilter_> | never;
/** Validates a {@link SessionArchiveFilter}. Unknown values are accepted. */
export const sessionArchiveFilter: Schema<SessionArchiveFilter> = sessionArchiveFilter_;

const sessionStatus_ = openEnum("open", "saved");
/** Storage state of a session, which is in memory or saved. An unknown state counts as `saved`. */
export type SessionStatus = Infer<typeof sessionStatus_> | never;
/** Validates a {@link SessionStatus}. Unknown values are accepted. */
export const sessionStatus: Schema<SessionStatus> = sessionStatus_;

// V1-UNST-04, V2-SES-27
/** Params of `session/status`. This request changes nothing. */
export interface SessionStatusRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link SessionStatusRequest}. */
export const sessionStatusRequest: Schema<SessionStatusRequest> = oneSession_;

const title = {
  /** Title for people. */
  title: string(),
};
const setSessionTitleRequest_ = extend(oneSession_, title);
// V2-SES-28
/** Params of `session/set_title`. The session may be any session in the list. */
export interface SetSessionTitleRequest extends Infer<typeof setSessionTitleRequest_> {}
/** Validates a {@link SetSessionTitleRequest}. */
export const setSessionTitleRequest: Schema<SetSessionTitleRequest> = setSessionTitleRequest_;

const setSessionTitleResponse_ = object(title);
/** Result of `session/set_title`, with the stored title. It may differ from the requested title. */
export interface SetSessionTitleResponse extends Infer<typeof setSessionTitleResponse_> {}
/** Validates a {@link SetSessionTitleResponse}. */
export const setSessionTitleResponse: Schema<SetSessionTitleResponse> = setSessionTitleResponse_;
