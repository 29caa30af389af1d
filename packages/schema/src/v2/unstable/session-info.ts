import { sessionArchiveFilter } from "../../both/unstable/session.js";
import {
  boolean,
  extend,
  type Infer,
  lenient,
  nullable,
  optional,
  requiredOr,
  type Schema,
  sifted,
} from "../../vocabulary.js";
import * as stable from "../session.js";

const sessionInfo_ = extend(stable.sessionInfo, {
  /** True if the session is archived. Present on every entry of an agent with `session.archive`. */
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
// V2-SES-26
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
