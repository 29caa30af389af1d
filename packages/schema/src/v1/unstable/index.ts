// biome-ignore-all lint/performance/noReExportAll: a barrel like those of the versions; names listed one by one shadow the stable ones.
export * from "../index.js";
export * from "./auth.js";
export { type AgentAuthCapabilities, agentAuthCapabilities } from "./auth.js";
export type { Method, ParamsOf, ResultOf } from "./contract.js";
export * from "./contract.js";
export {
  type AgentCapabilities,
  agentCapabilities,
  type ClientCapabilities,
  clientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  initializeRequest,
  initializeResponse,
} from "./initialize.js";
export * from "./mcp-message.js";
export * from "./mcp-server.js";
export { type McpCapabilities, type McpServer, mcpCapabilities, mcpServer } from "./mcp-server.js";
export * from "./plan.js";
export { type PromptResponse, promptResponse } from "./prompt.js";
export * from "./provider.js";
export * from "./proxy.js";
export * from "./session.js";
export {
  type LoadSessionRequest,
  loadSessionRequest,
  type NewSessionRequest,
  newSessionRequest,
  type ResumeSessionRequest,
  resumeSessionRequest,
  type SessionCapabilities,
  sessionCapabilities,
} from "./session.js";
export * from "./session-info.js";
export {
  type ListSessionsRequest,
  type ListSessionsResponse,
  listSessionsRequest,
  listSessionsResponse,
  type SessionInfo,
  sessionInfo,
} from "./session-info.js";
export * from "./state.js";
export * from "./subagent.js";
export * from "./system-prompt.js";
export { type SessionNotification, type SessionUpdate, sessionNotification, sessionUpdate } from "./update.js";
export * from "./usage.js";
