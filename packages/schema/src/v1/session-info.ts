import { sessionId } from "../both/identifiers.js";
import {
  type Infer,
  lenient,
  lenientList,
  nullable,
  object,
  optional,
  requiredOr,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";

const sessionInfo_ = object({
  /** The session. */
  sessionId,
  /** Directory, as an absolute path. */
  cwd: string(),
  /** Further roots, complete; absent means none. */
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

const sessionInfoUpdate_ = object({
  /** The new title. Null clears it, absent or malformed leaves it. */
  title: lenient(nullable(string())),
  /** Time of the session's last change. Null clears it, absent or malformed leaves it. */
  updatedAt: lenient(nullable(string())),
});
// V1-UPD-26
/** Change of a session's entry in lists. */
export interface SessionInfoUpdate extends Infer<typeof sessionInfoUpdate_> {}
/** Validates a {@link SessionInfoUpdate}. */
export const sessionInfoUpdate: Schema<SessionInfoUpdate> = sessionInfoUpdate_;

const listSessionsRequest_ = object({
  /** Only sessions of this directory, as an absolute path. */
  cwd: optional(nullable(string())),
  /** End of the page before; opaque. */
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
  /** Start of the next page; absent or null on the last one. */
  nextCursor: lenient(nullable(string())),
});
// V1-SESS-29, V1-SESS-31
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
