import { authStatusCapabilities } from "../../both/unstable/auth-status.js";
import { providersCapabilities } from "../../both/unstable/provider.js";
import { extend, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stableAuth from "../auth.js";
import * as stable from "../initialize.js";
import { mcpCapabilities } from "./mcp-server.js";
import { planCapabilities } from "./plan.js";
import { sessionCapabilities } from "./session.js";
import { subagentCapabilities } from "./subagent.js";

const agentAuthCapabilities_ = extend(stableAuth.agentAuthCapabilities, {
  /** The agent answers `auth/status` and tells changes. */
  status: lenient(nullable(authStatusCapabilities)),
});
/** What the agent can do about logins. */
export interface AgentAuthCapabilities extends Infer<typeof agentAuthCapabilities_> {}
/** Validates {@link AgentAuthCapabilities}. */
export const agentAuthCapabilities: Schema<AgentAuthCapabilities> = agentAuthCapabilities_;

const clientCapabilities_ = extend(stable.clientCapabilities, {
  /** Child sessions. */
  subagents: lenient(nullable(subagentCapabilities)),
  /** Plans by id. */
  plan: lenient(nullable(planCapabilities)),
});
/** What the client can do. What is absent or malformed it cannot. */
export interface ClientCapabilities extends Infer<typeof clientCapabilities_> {}
/** Validates {@link ClientCapabilities}. */
export const clientCapabilities: Schema<ClientCapabilities> = clientCapabilities_;

const agentCapabilities_ = extend(stable.agentCapabilities, {
  /** MCP transports besides stdio. */
  mcpCapabilities: lenient(mcpCapabilities),
  /** Session methods besides new and prompt. */
  sessionCapabilities: lenient(sessionCapabilities),
  /** Login methods. */
  auth: lenient(agentAuthCapabilities),
  /** The `providers` methods. */
  providers: lenient(nullable(providersCapabilities)),
});
/** What the agent can do. What is absent or malformed it cannot. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeRequest_ = extend(stable.initializeRequest, {
  /** What the client can do; absent means nothing. */
  clientCapabilities: lenient(clientCapabilities),
});
/** Params of `initialize`. */
export interface InitializeRequest extends Infer<typeof initializeRequest_> {}
/** Validates an {@link InitializeRequest}. */
export const initializeRequest: Schema<InitializeRequest> = initializeRequest_;

const initializeResponse_ = extend(stable.initializeResponse, {
  /** What the agent can do; absent means nothing beyond the baseline. */
  agentCapabilities: lenient(agentCapabilities),
});
/** Result of `initialize`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
