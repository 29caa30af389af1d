import { elicitationCapabilities } from "../both/elicitation.js";
import { implementation, protocolVersion } from "../both/implementation.js";
import { type Infer, lenient, lenientList, nullable, object, type Schema } from "../vocabulary.js";
import { agentAuthCapabilities, authMethod, clientAuthCapabilities } from "./auth.js";
import { sessionCapabilities } from "./session.js";

const clientCapabilities_ = object({
  /** Kinds of login. */
  auth: lenient(nullable(clientAuthCapabilities)),
  /** Elicitations with a form or a URL. */
  elicitation: lenient(nullable(elicitationCapabilities)),
});
// V2-INIT-12, V2-INIT-14
/** Capabilities of the client. If a capability is absent, null or malformed, the client does not support it. */
export interface ClientCapabilities extends Infer<typeof clientCapabilities_> {}
/** Validates {@link ClientCapabilities}. */
export const clientCapabilities: Schema<ClientCapabilities> = clientCapabilities_;

const agentCapabilities_ = object({
  /** Support for sessions, with all their methods. */
  session: lenient(nullable(sessionCapabilities)),
  /** Extensions for logins. */
  auth: lenient(nullable(agentAuthCapabilities)),
});
// V2-INIT-12, V2-INIT-15
/** Capabilities of the agent. If a capability is absent, null or malformed, the agent does not support it. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeRequest_ = object({
  /** Newest version that the client supports. */
  protocolVersion,
  /** Name and version of the client program. */
  info: implementation,
  /** Capabilities of the client. If absent, there are none. */
  capabilities: lenient(clientCapabilities),
});
// V2-INIT-01, V2-INIT-08
/**
 * Params of `initialize`, the first message of a connection. The client may repeat it until it sends another request.
 */
export interface InitializeRequest extends Infer<typeof initializeRequest_> {}
/** Validates an {@link InitializeRequest}. */
export const initializeRequest: Schema<InitializeRequest> = initializeRequest_;

const initializeResponse_ = object({
  /** Highest version that both sides support. */
  protocolVersion,
  /** Name and version of the agent program. */
  info: implementation,
  /** Capabilities of the agent. If absent, there are none. */
  capabilities: lenient(agentCapabilities),
  /** Login methods. Malformed methods are dropped. If absent, there are none. */
  authMethods: lenientList(authMethod),
});
// V2-INIT-02, V2-INIT-04
/** Result of `initialize`. From now on, both sides follow `protocolVersion`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
