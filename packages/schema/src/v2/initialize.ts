import { elicitationCapabilities } from "../both/elicitation.js";
import { implementation, protocolVersion } from "../both/implementation.js";
import { type Infer, lenient, lenientList, nullable, object, type Schema } from "../vocabulary.js";
import { agentAuthCapabilities, authMethod, clientAuthCapabilities } from "./auth.js";
import { sessionCapabilities } from "./session.js";

const clientCapabilities_ = object({
  /** Login flows. */
  auth: lenient(nullable(clientAuthCapabilities)),
  /** Forms and links that ask the user. */
  elicitation: lenient(nullable(elicitationCapabilities)),
});
// V2-INIT-12, V2-INIT-14
/** Capabilities of the client. Members that are absent, null or malformed are not supported. */
export interface ClientCapabilities extends Infer<typeof clientCapabilities_> {}
/** Validates {@link ClientCapabilities}. */
export const clientCapabilities: Schema<ClientCapabilities> = clientCapabilities_;

const agentCapabilities_ = object({
  /** Sessions, with all their methods. */
  session: lenient(nullable(sessionCapabilities)),
  /** Extensions about logins. */
  auth: lenient(nullable(agentAuthCapabilities)),
});
// V2-INIT-12, V2-INIT-15
/** Capabilities of the agent. Members that are absent, null or malformed are not supported. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeRequest_ = object({
  /** The newest version that the client speaks. */
  protocolVersion,
  /** Name and version of the client program. */
  info: implementation,
  /** Capabilities of the client; absent means none. */
  capabilities: lenient(clientCapabilities),
});
// V2-INIT-01, V2-INIT-08
/** Params of `initialize`, the first message of a connection. It may be repeated until another request is sent. */
export interface InitializeRequest extends Infer<typeof initializeRequest_> {}
/** Validates an {@link InitializeRequest}. */
export const initializeRequest: Schema<InitializeRequest> = initializeRequest_;

const initializeResponse_ = object({
  /** The highest version that the agent speaks at or below the client's. */
  protocolVersion,
  /** Name and version of the agent program. */
  info: implementation,
  /** Capabilities of the agent; absent means none. */
  capabilities: lenient(agentCapabilities),
  /** Ways to log in; malformed ones are dropped, absent means none. */
  authMethods: lenientList(authMethod),
});
// V2-INIT-02, V2-INIT-04
/** Result of `initialize`: both sides now follow `protocolVersion`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
