import { authStatusCapabilities } from "../../both/unstable/auth-status.js";
import { providersCapabilities } from "../../both/unstable/provider.js";
import { extend, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stableAuth from "../auth.js";
import * as stable from "../initialize.js";
import { mcpCapabilities, sessionCapabilities } from "./session.js";

const agentAuthCapabilities_ = extend(stableAuth.agentAuthCapabilities, {
  /** Support for the method `auth/status` and its updates. */
  status: lenient(nullable(authStatusCapabilities)),
});
/** Login capabilities of the agent. */
export interface AgentAuthCapabilities extends Infer<typeof agentAuthCapabilities_> {}
/** Validates {@link AgentAuthCapabilities}. */
export const agentAuthCapabilities: Schema<AgentAuthCapabilities> = agentAuthCapabilities_;

const agentCapabilities_ = extend(stable.agentCapabilities, {
  /** MCP transports besides stdio. */
  mcpCapabilities: lenient(mcpCapabilities),
  /** Session methods besides `session/new` and `session/prompt`. */
  sessionCapabilities: lenient(sessionCapabilities),
  /** Login methods. */
  auth: lenient(agentAuthCapabilities),
  /** Support for the `providers` methods. */
  providers: lenient(nullable(providersCapabilities)),
});
/** Capabilities of the agent. If a capability is absent or malformed, the agent does not support it. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeResponse_ = extend(stable.initializeResponse, {
  /** Capabilities of the agent. If absent, only those that every agent has. */
  agentCapabilities: lenient(agentCapabilities),
});
/** Result of `initialize`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
