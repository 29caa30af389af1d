// biome-ignore-all lint/performance/noReExportAll: a barrel like those of the versions; names listed one by one shadow the stable ones.

export * from "../../both/unstable/auth-status.js";
export * from "../../both/unstable/mcp-message.js";
export * from "../../both/unstable/provider.js";
export * from "../../both/unstable/proxy.js";
export * from "../../both/unstable/session.js";
export * from "../../both/unstable/usage.js";
export * from "../index.js";
export type { Method, ParamsOf, ResultOf } from "./contract.js";
export * from "./contract.js";
export {
  type AgentAuthCapabilities,
  type AgentCapabilities,
  agentAuthCapabilities,
  agentCapabilities,
  type InitializeResponse,
  initializeResponse,
} from "./initialize.js";
export * from "./plan.js";
export { type PlanUpdate, type PlanUpdateContent, planUpdate, planUpdateContent } from "./plan.js";
export * from "./proxy.js";
export * from "./session.js";
export {
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  listSessionsRequest,
  listSessionsResponse,
  loadSessionRequest,
  type McpCapabilities,
  type McpServer,
  mcpCapabilities,
  mcpServer,
  type NewSessionRequest,
  newSessionRequest,
  type PromptResponse,
  promptResponse,
  type ResumeSessionRequest,
  resumeSessionRequest,
  type SessionCapabilities,
  type SessionInfo,
  sessionCapabilities,
  sessionInfo,
} from "./session.js";
export * from "./state.js";
export { type IdleStateUpdate, idleStateUpdate, type StateUpdate, stateUpdate } from "./state.js";
export * from "./update.js";
export {
  type SessionNotification,
  type SessionUpdate,
  type SubagentUpdate,
  sessionNotification,
  sessionUpdate,
  subagentUpdate,
} from "./update.js";
