import { elicitationCapabilities } from "../both/elicitation.js";
import { implementation, protocolVersion } from "../both/implementation.js";
import { boolean, type Infer, lenient, lenientList, nullable, object, type Schema } from "../vocabulary.js";
import { agentAuthCapabilities, authCapabilities, authMethod } from "./auth.js";
import { fileSystemCapabilities } from "./file-system.js";
import { mcpCapabilities } from "./mcp-server.js";
import { planCapabilities } from "./plan.js";
import { promptCapabilities } from "./prompt.js";
import { sessionCapabilities } from "./session.js";
import { subagentCapabilities } from "./subagent.js";
import { compactionCapabilities } from "./update.js";

const noticeCapabilities_ = object({});
/** Marker that the client shows notices. The marker counts if it is present and not null. */
export interface NoticeCapabilities extends Infer<typeof noticeCapabilities_> {}
/** Validates {@link NoticeCapabilities}. */
export const noticeCapabilities: Schema<NoticeCapabilities> = noticeCapabilities_;

const booleanConfigOptionCapabilities_ = object({});
/** Marker that the client shows config options of type `boolean`. The marker counts if it is present and not null. */
export interface BooleanConfigOptionCapabilities extends Infer<typeof booleanConfigOptionCapabilities_> {}
/** Validates {@link BooleanConfigOptionCapabilities}. */
export const booleanConfigOptionCapabilities: Schema<BooleanConfigOptionCapabilities> =
  booleanConfigOptionCapabilities_;

const sessionConfigOptionsCapabilities_ = object({
  /** Options of type `boolean`. */
  boolean: lenient(nullable(booleanConfigOptionCapabilities)),
});
/** Types of configuration options that the client shows, besides `select`. */
export interface SessionConfigOptionsCapabilities extends Infer<typeof sessionConfigOptionsCapabilities_> {}
/** Validates {@link SessionConfigOptionsCapabilities}. */
export const sessionConfigOptionsCapabilities: Schema<SessionConfigOptionsCapabilities> =
  sessionConfigOptionsCapabilities_;

const clientSessionCapabilities_ = object({
  /** The updates `compaction_update` and `compaction_summary_chunk`. */
  compaction: lenient(nullable(compactionCapabilities)),
  /** Further types of configuration options. */
  configOptions: lenient(nullable(sessionConfigOptionsCapabilities)),
  /** The update `notice`. */
  notices: lenient(nullable(noticeCapabilities)),
});
/** Parts of a session that the client shows. A member counts if it is present and not null. */
export interface ClientSessionCapabilities extends Infer<typeof clientSessionCapabilities_> {}
/** Validates {@link ClientSessionCapabilities}. */
export const clientSessionCapabilities: Schema<ClientSessionCapabilities> = clientSessionCapabilities_;

const clientCapabilities_ = object({
  /** Child sessions. */
  subagents: lenient(nullable(subagentCapabilities)),
  /** The updates `plan_update` and `plan_removed`, in place of `plan`. */
  plan: lenient(nullable(planCapabilities)),
  /** The file methods. */
  fs: lenient(fileSystemCapabilities),
  /** All five terminal methods. */
  terminal: lenient(boolean()),
  /** Parts of a session that not every client shows. */
  session: lenient(nullable(clientSessionCapabilities)),
  /** Kinds of login. */
  auth: lenient(authCapabilities),
  /** Elicitations with a form or a URL. */
  elicitation: lenient(nullable(elicitationCapabilities)),
});
// V1-INIT-09
/** Capabilities of the client. If a capability is absent or malformed, the client does not support it. */
export interface ClientCapabilities extends Infer<typeof clientCapabilities_> {}
/** Validates {@link ClientCapabilities}. */
export const clientCapabilities: Schema<ClientCapabilities> = clientCapabilities_;

const agentCapabilities_ = object({
  /** Support for `session/load`. */
  loadSession: lenient(boolean()),
  /** Content types allowed in prompts. */
  promptCapabilities: lenient(promptCapabilities),
  /** MCP transports besides stdio. */
  mcpCapabilities: lenient(mcpCapabilities),
  /** Session methods besides `session/new` and `session/prompt`. */
  sessionCapabilities: lenient(sessionCapabilities),
  /** Login methods. */
  auth: lenient(agentAuthCapabilities),
});
// V1-INIT-09
/** Capabilities of the agent. If a capability is absent or malformed, the agent does not support it. */
export interface AgentCapabilities extends Infer<typeof agentCapabilities_> {}
/** Validates {@link AgentCapabilities}. */
export const agentCapabilities: Schema<AgentCapabilities> = agentCapabilities_;

const initializeRequest_ = object({
  /** Newest version that the client supports. */
  protocolVersion,
  /** Capabilities of the client. If absent, there are none. */
  clientCapabilities: lenient(clientCapabilities),
  /** Name and version of the client program. */
  clientInfo: lenient(nullable(implementation)),
});
// V1-INIT-03
/** Params of `initialize`, the first message of a connection. */
export interface InitializeRequest extends Infer<typeof initializeRequest_> {}
/** Validates an {@link InitializeRequest}. */
export const initializeRequest: Schema<InitializeRequest> = initializeRequest_;

const initializeResponse_ = object({
  /** Version of the client, if the agent supports it. Otherwise the newest version that the agent supports. */
  protocolVersion,
  /** Capabilities of the agent. If absent, only those that every agent has. */
  agentCapabilities: lenient(agentCapabilities),
  /** Login methods. Malformed methods are dropped. If absent, there are none. */
  authMethods: lenientList(authMethod),
  /** Name and version of the agent program. */
  agentInfo: lenient(nullable(implementation)),
});
// V1-INIT-05, V1-INIT-08
/** Result of `initialize`. From now on, both sides follow `protocolVersion`. */
export interface InitializeResponse extends Infer<typeof initializeResponse_> {}
/** Validates an {@link InitializeResponse}. */
export const initializeResponse: Schema<InitializeResponse> = initializeResponse_;
