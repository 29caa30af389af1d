import { extend, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stable from "../initialize.js";
import { agentAuthCapabilities } from "./auth.js";
import { mcpCapabilities } from "./mcp-server.js";
import { planCapabilities } from "./plan.js";
import { providersCapabilities } from "./provider.js";
import { sessionCapabilities } from "./session.js";
import { subagentCapabilities } from "./subagent.js";

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
