import { type Infer, integer, lenient, lenientList, nullable, object, type Schema, string } from "../vocabulary.js";
import { agentAuthCapabilities, authMethod, clientAuthCapabilities } from "./auth.js";
import { elicitationCapabilities } from "./elicitation.js";
import { sessionCapabilities } from "./session.js";

/**
 * A major version of the protocol; this folder is `2`.
 * @see V2-INIT-01
 */
export type ProtocolVersion = number;
/** Validates a {@link ProtocolVersion}. */
export const protocolVersion: Schema<ProtocolVersion> = integer(0, 0xffff);

const implementation_ = object({
  /** The program's name. */
  name: string(),
  /** The program's name for people; without it, `name`. */
  title: lenient(nullable(string())),
  /** The program's version. */
  version: string(),
});
/**
 * Which program the peer is.
 * @see V2-INIT-03
 */
export interface Implementation extends Infer<typeof implementation_> {}
/** Validates an {@link Implementation}. */
export const implementation: Schema<Implementation> = implementation_;

const clientCapabilities_ = object({
  /** Login flows. */
  auth: lenient(nullable(clientAuthCapabilities)),
  /** Forms and links that ask the user. */
  elicitation: lenient(nullable(elicitationCapabilities)),
});
/**
 * What the client can do. A member counts when it is present and not null; what is absent or malformed it cannot.
 * @see V2-INIT-12
 * @see V2-INIT-14
 */
export interface ClientCapabilities extends Infer<typeof clientCapabilities_> {}
/** Validates {@link ClientCapabilities}. */
export const clientCapabilities: Schema<ClientCapabilities> = clientCapabilities_;

const agentCapabilities_ = object({
  /** Sessions, with all their methods. */
  session: lenient(nullable(sessionCapabilities)),
  /** Room for extensions about logins. */
  auth: lenient(nullable(agentAuthCapabilities)),
});
/**
 * What the agent can do. A member counts when it is present and not null; what is absent or malformed it cannot.
 * @see V2-INIT-12
 * @see V2-INIT-15
 */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeRequest_ = object({
  /** The newest version that the client speaks. */
  protocolVersion,
  /** Which program the client is. */
  info: implementation,
  /** What the client can do; absent means nothing. */
  capabilities: lenient(clientCapabilities),
});
/**
 * Params of `initialize`, the first message of a connection. It may come again until another request was sent.
 * @see V2-INIT-01
 * @see V2-INIT-08
 */
export interface InitializeRequest extends Infer<typeof initializeRequest_> {}
/** Validates an {@link InitializeRequest}. */
export const initializeRequest: Schema<InitializeRequest> = initializeRequest_;

const initializeResponse_ = object({
  /** The highest version that the agent speaks at or below the client's. */
  protocolVersion,
  /** Which program the agent is. */
  info: implementation,
  /** What the agent can do; absent means nothing. */
  capabilities: lenient(agentCapabilities),
  /** Ways to log in; malformed ones are dropped, absent means none. */
  authMethods: lenientList(authMethod),
});
/**
 * Result of `initialize`: from here on both sides follow `protocolVersion`.
 * @see V2-INIT-02
 * @see V2-INIT-04
 */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
