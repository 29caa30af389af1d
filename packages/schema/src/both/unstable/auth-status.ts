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
/** Marker that the agent answers `auth/status` and sends changes. The marker counts if it is present and not null. */
export interface AuthStatusCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link AuthStatusCapabilities}. */
export const authStatusCapabilities: Schema<AuthStatusCapabilities> = nothing_;

const authState_ = openEnum("authenticated", "unauthenticated", "not_required", "unknown");
/** Login state of the user. An unknown state counts as `unknown`. */
export type AuthState = Infer<typeof authState_> | never;
/** Validates an {@link AuthState}. Unknown values are accepted. */
export const authState: Schema<AuthState> = authState_;

const authAccount_ = object({
  /** Text for display. */
  label: string(),
  /** `true` if the account is in use. Several accounts may be in use. */
  active: lenient(nullable(boolean())),
  /** Name of the person. */
  name: lenient(nullable(string())),
  /** Mail address of the person. */
  email: lenient(nullable(string())),
  /** Organisation of the account. */
  organization: lenient(nullable(string())),
});
/** Account for display. Do not use it to identify a person, and never write it to a log. */
export interface AuthAccount extends Infer<typeof authAccount_> {}
/** Validates an {@link AuthAccount}. */
export const authAccount: Schema<AuthAccount> = authAccount_;

// V1-UNST-06, V2-AUTH-11, V2-AUTH-12
/** Params of `auth/status`, for agents with `auth.status`. */
export interface AuthStatusRequest extends Infer<typeof nothing_> {}
/** Validates an {@link AuthStatusRequest}. */
export const authStatusRequest: Schema<AuthStatusRequest> = nothing_;

const authStatus_ = object({
  /** Login state of the user. Programs may depend only on this member. */
  state: authState,
  /** Accounts for display. Malformed accounts are dropped. */
  accounts: lenientList(authAccount),
});
/** Result of `auth/status`. This request changes nothing. */
export interface AuthStatusResponse extends Infer<typeof authStatus_> {}
/** Validates an {@link AuthStatusResponse}. */
export const authStatusResponse: Schema<AuthStatusResponse> = authStatus_;

/** Params of `auth/status_update`, which reports that the status has changed. */
export interface AuthStatusUpdateNotification extends Infer<typeof authStatus_> {}
/** Validates an {@link AuthStatusUpdateNotification}. */
export const authStatusUpdateNotification: Schema<AuthStatusUpdateNotification> = authStatus_;
