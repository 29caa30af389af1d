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
  /** True if the client can run a login flow of the agent in a terminal of its own. */
  terminal: lenient(boolean()),
});
// V1-AUTH-04
/** Login flows that the client can run; only `true` counts. */
export interface AuthCapabilities extends Infer<typeof authCapabilities_> {}
/** Validates {@link AuthCapabilities}. */
export const authCapabilities: Schema<AuthCapabilities> = authCapabilities_;

const logoutCapabilities_ = object({});
/** Marker: the agent answers `logout`. It counts when present and not null. */
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

/** Identifier of a way to log in. */
export type AuthMethodId = string;
/** Validates an {@link AuthMethodId}. */
export const authMethodId: Schema<AuthMethodId> = string();

const authMethodAgent_ = object({
  /** Id that `authenticate` names. */
  id: authMethodId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** A login that the agent runs by itself when `authenticate` asks for it. */
export interface AuthMethodAgent extends Infer<typeof authMethodAgent_> {}
/** Validates an {@link AuthMethodAgent}. */
export const authMethodAgent: Schema<AuthMethodAgent> = authMethodAgent_;

const authMethodTerminal_ = extend(authMethodAgent_, {
  /** Arguments added to the agent's own; absent or null means none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Variables added to the agent's own environment. Unlike all other variables, they are a map. */
  env: optional(nullAsEmpty(record(string()))),
});
// V1-AUTH-11, V1-AUTH-12
/**
 * A login that the client runs: the agent's own program with these additions, in a terminal that the user sees. Its id
 * is never sent to `authenticate`.
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
 * A way to log in. Without a `type`, or with an unknown one, the agent runs it. A malformed terminal method is invalid,
 * and never reads as a method that the agent runs.
 */
export type AuthMethod = Infer<typeof authMethod_> | never;
/** Validates an {@link AuthMethod}. */
export const authMethod: Schema<AuthMethod> = authMethod_;

const authenticateRequest_ = object({
  /** One of the methods in the `initialize` result, except those of type `terminal`. */
  methodId: authMethodId,
});
// V1-AUTH-06
/** Params of `authenticate`. */
export interface AuthenticateRequest extends Infer<typeof authenticateRequest_> {}
/** Validates an {@link AuthenticateRequest}. */
export const authenticateRequest: Schema<AuthenticateRequest> = authenticateRequest_;

const nothing_ = object({});
/** Result of `authenticate`: the user is logged in. */
export interface AuthenticateResponse extends Infer<typeof nothing_> {}
/** Validates an {@link AuthenticateResponse}. */
export const authenticateResponse: Schema<AuthenticateResponse> = nothing_;

// V1-AUTH-15
/** Params of `logout`, for agents with `auth.logout`. */
export interface LogoutRequest extends Infer<typeof nothing_> {}
/** Validates a {@link LogoutRequest}. */
export const logoutRequest: Schema<LogoutRequest> = nothing_;

/** Result of `logout`: new sessions need a login again. */
export interface LogoutResponse extends Infer<typeof nothing_> {}
/** Validates a {@link LogoutResponse}. */
export const logoutResponse: Schema<LogoutResponse> = nothing_;
