import { sessionId } from "../both/identifiers.js";
import {
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
  string,
} from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";

const sessionInfo_ = object({
  /** The session. */
  sessionId,
  /** Directory. */
  cwd: absolutePath,
  /** Further roots, complete and in order; absent or null means none is known. */
  additionalDirectories: optional(nullAsEmpty(list(absolutePath))),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in RFC 3339. */
  updatedAt: lenient(nullable(string())),
});
// V2-SES-22
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
// V2-UPD-20
/** Change of a session's entry in lists. `_meta` is merged key by key. */
export interface SessionInfoUpdate extends Infer<typeof sessionInfoUpdate_> {}
/** Validates a {@link SessionInfoUpdate}. */
export const sessionInfoUpdate: Schema<SessionInfoUpdate> = sessionInfoUpdate_;

/** End of a page of a list: opaque, for this connection only. The empty string is a cursor like others. */
export type SessionListCursor = string;
/** Validates a {@link SessionListCursor}. */
export const sessionListCursor: Schema<SessionListCursor> = string();

const listSessionsRequest_ = object({
  /** Only sessions of this very directory. */
  cwd: optional(nullable(absolutePath)),
  /** End of the page before. */
  cursor: optional(nullable(sessionListCursor)),
});
// V2-SES-20
/** Params of `session/list`. */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = object({
  /** The sessions of this page; malformed ones are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Start of the next page. Absent or null on the last one, malformed makes the result invalid. */
  nextCursor: optional(nullable(sessionListCursor)),
});
// V2-SES-20
/** Result of `session/list`. */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
