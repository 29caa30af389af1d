import { sessionId } from "../both/session-id.js";
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
  /** Its directory, as an absolute path. */
  cwd: string(),
  /** Its further roots, complete; absent means none. */
  additionalDirectories: lenientList(string()),
  /** Its title, for people. */
  title: lenient(nullable(string())),
  /** When it last changed, as an ISO 8601 time. */
  updatedAt: lenient(nullable(string())),
});
/**
 * What a list of sessions tells about each.
 * @see V1-SESS-30
 */
export interface SessionInfo extends Infer<typeof sessionInfo_> {}
/** Validates a {@link SessionInfo}. */
export const sessionInfo: Schema<SessionInfo> = sessionInfo_;

const sessionInfoUpdate_ = object({
  /** The new title. Null clears it, absent or malformed leaves it. */
  title: lenient(nullable(string())),
  /** When the session last changed. Null clears it, absent or malformed leaves it. */
  updatedAt: lenient(nullable(string())),
});
/**
 * News about what a list of sessions tells.
 * @see V1-UPD-26
 */
export interface SessionInfoUpdate extends Infer<typeof sessionInfoUpdate_> {}
/** Validates a {@link SessionInfoUpdate}. */
export const sessionInfoUpdate: Schema<SessionInfoUpdate> = sessionInfoUpdate_;

const listSessionsRequest_ = object({
  /** Only sessions of this directory, as an absolute path. */
  cwd: optional(nullable(string())),
  /** Where the page before ended; opaque. */
  cursor: optional(nullable(string())),
});
/**
 * Params of `session/list`, for agents with `sessionCapabilities.list`.
 * @see V1-SESS-28
 */
export interface ListSessionsRequest extends Infer<typeof listSessionsRequest_> {}
/** Validates a {@link ListSessionsRequest}. */
export const listSessionsRequest: Schema<ListSessionsRequest> = listSessionsRequest_;

const listSessionsResponse_ = object({
  /** The sessions of this page; malformed ones are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Where the next page begins; absent or null on the last one. */
  nextCursor: lenient(nullable(string())),
});
/**
 * Result of `session/list`.
 * @see V1-SESS-29
 * @see V1-SESS-31
 */
export interface ListSessionsResponse extends Infer<typeof listSessionsResponse_> {}
/** Validates a {@link ListSessionsResponse}. */
export const listSessionsResponse: Schema<ListSessionsResponse> = listSessionsResponse_;
