import { extend, type Infer, object, openEnum, type Schema, string } from "../../vocabulary.js";
import { sessionId } from "../identifiers.js";

const marker_ = object({});
/** Marker: the agent answers `session/fork`. It counts when present and not null. */
export interface SessionForkCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionForkCapabilities}. */
export const sessionForkCapabilities: Schema<SessionForkCapabilities> = marker_;
/** Marker: the agent answers `session/archive` and `session/unarchive`. It counts when present and not null. */
export interface SessionArchiveCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionArchiveCapabilities}. */
export const sessionArchiveCapabilities: Schema<SessionArchiveCapabilities> = marker_;
/** Marker: the agent answers `session/status`. It counts when present and not null. */
export interface SessionStatusCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionStatusCapabilities}. */
export const sessionStatusCapabilities: Schema<SessionStatusCapabilities> = marker_;
/** Marker: the agent answers `session/set_title`. It counts when present and not null. */
export interface SessionTitleCapabilities extends Infer<typeof marker_> {}
/** Validates {@link SessionTitleCapabilities}. */
export const sessionTitleCapabilities: Schema<SessionTitleCapabilities> = marker_;

const oneSession_ = object({
  /** The session. */
  sessionId,
});
// V1-UNST-03, V2-SES-26
/** Params of `session/archive`: the session is closed and hidden from lists; its history stays. */
export interface ArchiveSessionRequest extends Infer<typeof oneSession_> {}
/** Validates an {@link ArchiveSessionRequest}. */
export const archiveSessionRequest: Schema<ArchiveSessionRequest> = oneSession_;
/** Result of `session/archive`. */
export interface ArchiveSessionResponse extends Infer<typeof marker_> {}
/** Validates an {@link ArchiveSessionResponse}. */
export const archiveSessionResponse: Schema<ArchiveSessionResponse> = marker_;

/** Params of `session/unarchive`: lists show the session again. It is not loaded. */
export interface UnarchiveSessionRequest extends Infer<typeof oneSession_> {}
/** Validates an {@link UnarchiveSessionRequest}. */
export const unarchiveSessionRequest: Schema<UnarchiveSessionRequest> = oneSession_;
/** Result of `session/unarchive`. */
export interface UnarchiveSessionResponse extends Infer<typeof marker_> {}
/** Validates an {@link UnarchiveSessionResponse}. */
export const unarchiveSessionResponse: Schema<UnarchiveSessionResponse> = marker_;

const sessionArchiveFilter_ = openEnum("exclude", "include", "only");
/** Filter for archived sessions. Without it, they are left out. The agent refuses unknown filters. */
export type SessionArchiveFilter = Infer<typeof sessionArchiveFilter_> | never;
/** Validates a {@link SessionArchiveFilter}; unknown ones are kept. */
export const sessionArchiveFilter: Schema<SessionArchiveFilter> = sessionArchiveFilter_;

const sessionStatus_ = openEnum("open", "saved");
/** Storage state of a session: in memory, or saved. An unknown value counts as `saved`. */
export type SessionStatus = Infer<typeof sessionStatus_> | never;
/** Validates a {@link SessionStatus}; unknown ones are kept. */
export const sessionStatus: Schema<SessionStatus> = sessionStatus_;

// V1-UNST-04, V2-SES-27
/** Params of `session/status`. The request changes nothing. */
export interface SessionStatusRequest extends Infer<typeof oneSession_> {}
/** Validates a {@link SessionStatusRequest}. */
export const sessionStatusRequest: Schema<SessionStatusRequest> = oneSession_;

const title = {
  /** The title, for people. */
  title: string(),
};
const setSessionTitleRequest_ = extend(oneSession_, title);
// V2-SES-28
/** Params of `session/set_title`, for any listed session. */
export interface SetSessionTitleRequest extends Infer<typeof setSessionTitleRequest_> {}
/** Validates a {@link SetSessionTitleRequest}. */
export const setSessionTitleRequest: Schema<SetSessionTitleRequest> = setSessionTitleRequest_;

const setSessionTitleResponse_ = object(title);
/** Result of `session/set_title`: the stored title, which may differ from the requested one. */
export interface SetSessionTitleResponse extends Infer<typeof setSessionTitleResponse_> {}
/** Validates a {@link SetSessionTitleResponse}. */
export const setSessionTitleResponse: Schema<SetSessionTitleResponse> = setSessionTitleResponse_;
