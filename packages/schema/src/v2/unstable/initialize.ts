import { extend, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stable from "../initialize.js";
import { agentAuthCapabilities } from "./auth.js";
import { providersCapabilities } from "./provider.js";
import { sessionCapabilities } from "./session.js";

const agentCapabilities_ = extend(stable.agentCapabilities, {
  /** Sessions, with all their methods. */
  session: lenient(nullable(sessionCapabilities)),
  /** What the agent can tell about logins. */
  auth: lenient(nullable(agentAuthCapabilities)),
  /** The `providers` methods. */
  providers: lenient(nullable(providersCapabilities)),
});
/** What the agent can do. What is absent or malformed it cannot. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeResponse_ = extend(stable.initializeResponse, {
  /** What the agent can do; absent means nothing. */
  capabilities: lenient(agentCapabilities),
});
/** Result of `initialize`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
