import {
  boolean,
  type Infer,
  lenient,
  lenientList,
  nullable,
  object,
  openEnum,
  type Schema,
  string,
} from "../../vocabulary.js";

const nothing_ = object({});
/** Marker: the agent answers `auth/status` and sends changes. It counts when present and not null. */
export interface AuthStatusCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link AuthStatusCapabilities}. */
export const authStatusCapabilities: Schema<AuthStatusCapabilities> = nothing_;

const authState_ = openEnum("authenticated", "unauthenticated", "not_required", "unknown");
/** Login state of the user. An unknown value counts as `unknown`. */
export type AuthState = Infer<typeof authState_> | never;
/** Validates an {@link AuthState}; unknown ones are kept. */
export const authState: Schema<AuthState> = authState_;

const authAccount_ = object({
  /** Text to show. */
  label: string(),
  /** True if the account is in use; several may be. */
  active: lenient(nullable(boolean())),
  /** The name of the person. */
  name: lenient(nullable(string())),
  /** The mail address of the person. */
  email: lenient(nullable(string())),
  /** The organisation of the account. */
  organization: lenient(nullable(string())),
});
/** Account to show. Never identify a person by it, and never log it. */
export interface AuthAccount extends Infer<typeof authAccount_> {}
/** Validates an {@link AuthAccount}. */
export const authAccount: Schema<AuthAccount> = authAccount_;

// V1-UNST-06, V2-AUTH-11, V2-AUTH-12
/** Params of `auth/status`, for agents with `auth.status`. */
export interface AuthStatusRequest extends Infer<typeof nothing_> {}
/** Validates an {@link AuthStatusRequest}. */
export const authStatusRequest: Schema<AuthStatusRequest> = nothing_;

const authStatus_ = object({
  /** Login state of the user. Programs must not depend on other members. */
  state: authState,
  /** Accounts to show. Malformed ones are dropped. */
  accounts: lenientList(authAccount),
});
/** Result of `auth/status`. The request changes nothing. */
export interface AuthStatusResponse extends Infer<typeof authStatus_> {}
/** Validates an {@link AuthStatusResponse}. */
export const authStatusResponse: Schema<AuthStatusResponse> = authStatus_;

/** Params of `auth/status_update`: the status has changed. */
export interface AuthStatusUpdateNotification extends Infer<typeof authStatus_> {}
/** Validates an {@link AuthStatusUpdateNotification}. */
export const authStatusUpdateNotification: Schema<AuthStatusUpdateNotification> = authStatus_;
