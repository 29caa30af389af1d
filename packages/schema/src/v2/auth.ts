import { envVariable } from "../both/named-value.js";
import {
  extend,
  type Infer,
  lenient,
  list,
  nullAsEmpty,
  nullable,
  object,
  openVariants,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";

const marker_ = object({});
/**
 * Marker that the client can run a login flow of the agent in a terminal. The marker counts if it is present and not
 * null.
 */
export interface TerminalAuthCapabilities extends Infer<typeof marker_> {}
/** Validates {@link TerminalAuthCapabilities}. */
export const terminalAuthCapabilities: Schema<TerminalAuthCapabilities> = marker_;

const clientAuthCapabilities_ = object({
  /** Login in a terminal. */
  terminal: lenient(nullable(terminalAuthCapabilities)),
});
// V2-AUTH-07
/** Kinds of login that the client can run. */
export interface ClientAuthCapabilities extends Infer<typeof clientAuthCapabilities_> {}
/** Validates {@link ClientAuthCapabilities}. */
export const clientAuthCapabilities: Schema<ClientAuthCapabilities> = clientAuthCapabilities_;

// V2-AUTH-01
/**
 * Login capabilities of the agent. They contain only extensions, because `authMethods` already means that the agent has
 * login and logout.
 */
export interface AgentAuthCapabilities extends Infer<typeof marker_> {}
/** Validates {@link AgentAuthCapabilities}. */
export const agentAuthCapabilities: Schema<AgentAuthCapabilities> = marker_;

/** Identifier of a login method. */
export type AuthMethodId = string;
/** Validates an {@link AuthMethodId}. */
export const authMethodId: Schema<AuthMethodId> = string();

const named_ = object({
  /** Id for `auth/login`. */
  methodId: authMethodId,
  /** Name for people. */
  name: string(),
});
const authMethodAgent_ = extend(named_, {
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Login that the agent runs itself, after a request `auth/login`. */
export interface AuthMethodAgent extends Infer<typeof authMethodAgent_> {}
/** Validates an {@link AuthMethodAgent}. */
export const authMethodAgent: Schema<AuthMethodAgent> = authMethodAgent_;

const authMethodTerminal_ = extend(authMethodAgent_, {
  /** Additional arguments for the agent's program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /**
   * Additional environment variables for the agent's program. Each name occurs once. If absent or null, there are none.
   */
  env: optional(nullAsEmpty(list(envVariable))),
});
// V2-AUTH-06, V2-AUTH-08
/**
 * Login that the client runs. The client starts the agent's own program with these additions, in a terminal that the
 * user sees. The id of the method is never sent to `auth/login`.
 */
export interface AuthMethodTerminal extends Infer<typeof authMethodTerminal_> {}
/** Validates an {@link AuthMethodTerminal}. */
export const authMethodTerminal: Schema<AuthMethodTerminal> = authMethodTerminal_;

const authMethod_ = openVariants("type", { agent: authMethodAgent, terminal: authMethodTerminal }, { other: named_ });
// V2-AUTH-03, V2-AUTH-04
/** Login method. A method of another type has at least an id and a name, and `auth/login` does not accept it. */
export type AuthMethod = Infer<typeof authMethod_> | never;
/** Validates an {@link AuthMethod}. */
export const authMethod: Schema<AuthMethod> = authMethod_;

const loginAuthRequest_ = object({
  /** Id of a method in the `initialize` result. Methods of the type `terminal` are not allowed. */
  methodId: authMethodId,
});
// V2-AUTH-05
/** Params of `auth/login`, for agents with `authMethods`. */
export interface LoginAuthRequest extends Infer<typeof loginAuthRequest_> {}
/** Validates a {@link LoginAuthRequest}. */
export const loginAuthRequest: Schema<LoginAuthRequest> = loginAuthRequest_;

/** Result of `auth/login`. The user is now logged in. */
export interface LoginAuthResponse extends Infer<typeof marker_> {}
/** Validates a {@link LoginAuthResponse}. */
export const loginAuthResponse: Schema<LoginAuthResponse> = marker_;

// V2-AUTH-09
/** Params of `auth/logout`, for agents with `authMethods`. */
export interface LogoutAuthRequest extends Infer<typeof marker_> {}
/** Validates a {@link LogoutAuthRequest}. */
export const logoutAuthRequest: Schema<LogoutAuthRequest> = marker_;

/** Result of `auth/logout`. Methods that require a login need a new login from now on. */
export interface LogoutAuthResponse extends Infer<typeof marker_> {}
/** Validates a {@link LogoutAuthResponse}. */
export const logoutAuthResponse: Schema<LogoutAuthResponse> = marker_;
