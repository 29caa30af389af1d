import {
  boolean,
  extend,
  type Infer,
  lenient,
  list,
  nullAsEmpty,
  nullable,
  object,
  optional,
  record,
  type Schema,
  string,
  variants,
} from "../vocabulary.js";

const authCapabilities_ = object({
  /** `true` if the client can run the agent's login program in a terminal. */
  terminal: lenient(boolean()),
});
// V1-AUTH-04
/** Kinds of login that the client can run. Only `true` counts. */
export interface AuthCapabilities extends Infer<typeof authCapabilities_> {}
/** Validates {@link AuthCapabilities}. */
export const authCapabilities: Schema<AuthCapabilities> = authCapabilities_;

const logoutCapabilities_ = object({});
/** Marker that the agent answers `logout`. The marker counts if it is present and not null. */
export interface LogoutCapabilities extends Infer<typeof logoutCapabilities_> {}
/** Validates {@link LogoutCapabilities}. */
export const logoutCapabilities: Schema<LogoutCapabilities> = logoutCapabilities_;

const agentAuthCapabilities_ = object({
  /** The agent answers `logout`. */
  logout: lenient(nullable(logoutCapabilities)),
});
/** Login capabilities of the agent. */
export interface AgentAuthCapabilities extends Infer<typeof agentAuthCapabilities_> {}
/** Validates {@link AgentAuthCapabilities}. */
export const agentAuthCapabilities: Schema<AgentAuthCapabilities> = agentAuthCapabilities_;

/** Identifier of a login method. */
export type AuthMethodId = string;
/** Validates an {@link AuthMethodId}. */
export const authMethodId: Schema<AuthMethodId> = string();

const authMethodAgent_ = object({
  /** Id for `authenticate`. */
  id: authMethodId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Login that the agent runs itself, after a request `authenticate`. */
export interface AuthMethodAgent extends Infer<typeof authMethodAgent_> {}
/** Validates an {@link AuthMethodAgent}. */
export const authMethodAgent: Schema<AuthMethodAgent> = authMethodAgent_;

const authMethodTerminal_ = extend(authMethodAgent_, {
  /** Additional arguments for the agent's program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /**
   * Additional environment variables for the agent's program. They are a map, unlike all other variables of the
   * protocol.
   */
  env: optional(nullAsEmpty(record(string()))),
});
// V1-AUTH-11, V1-AUTH-12
/**
 * Login that the client runs. The client starts the agent's own program with these additions, in a terminal that the
 * user sees. The id of the method is never sent to `authenticate`.
 */
export interface AuthMethodTerminal extends Infer<typeof authMethodTerminal_> {}
/** Validates an {@link AuthMethodTerminal}. */
export const authMethodTerminal: Schema<AuthMethodTerminal> = authMethodTerminal_;

const authMethod_ = variants(
  "type",
  { terminal: authMethodTerminal },
  { unknown: authMethodAgent, untagged: authMethodAgent },
);
// V1-AUTH-02, V1-AUTH-03
/**
 * Login method. The agent runs a method without a `type`, or with an unknown type. A malformed method of the type
 * `terminal` is invalid, and never counts as a method that the agent runs.
 */
export type AuthMethod = Infer<typeof authMethod_> | never;
/** Validates an {@link AuthMethod}. */
export const authMethod: Schema<AuthMethod> = authMethod_;

const authenticateRequest_ = object({
  /** Id of a method in the `initialize` result. Methods of the type `terminal` are not allowed. */
  methodId: authMethodId,
});
// V1-AUTH-06
/** Params of `authenticate`. */
export interface AuthenticateRequest extends Infer<typeof authenticateRequest_> {}
/** Validates an {@link AuthenticateRequest}. */
export const authenticateRequest: Schema<AuthenticateRequest> = authenticateRequest_;

const nothing_ = object({});
/** Result of `authenticate`. The user is now logged in. */
export interface AuthenticateResponse extends Infer<typeof nothing_> {}
/** Validates an {@link AuthenticateResponse}. */
export const authenticateResponse: Schema<AuthenticateResponse> = nothing_;

// V1-AUTH-15
/** Params of `logout`, for agents with `auth.logout`. */
export interface LogoutRequest extends Infer<typeof nothing_> {}
/** Validates a {@link LogoutRequest}. */
export const logoutRequest: Schema<LogoutRequest> = nothing_;

/** Result of `logout`. New sessions need a login again. */
export interface LogoutResponse extends Infer<typeof nothing_> {}
/** Validates a {@link LogoutResponse}. */
export const logoutResponse: Schema<LogoutResponse> = nothing_;
