export type { AgentCommand, KnownAgent } from "./known-agents.js";
export { findKnownAgent, knownAgents } from "./known-agents.js";
