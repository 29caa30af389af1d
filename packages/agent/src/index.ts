export { createAgent } from "./agent.js";
export { usualOptions } from "./permission.js";
export { MAX_HELD_UPDATES } from "./session.js";
export { MAX_WAITING_PROMPTS } from "./turn-queue.js";

export type {
  Agent,
  AgentHandlers,
  NewSession,
  RestoreSession,
  Served,
  ServeOptions,
  SessionSetup,
  SetupAnswer,
} from "./agent.js";
export type { ClientFiles } from "./client-tools/files.js";
export type { ClientTerminal, ClientTerminals, TerminalCommand, TerminalExit } from "./client-tools/terminals.js";
export type { ClientInfo } from "./driver/driver.js";
export type { PermissionAnswer } from "./permission.js";
export type { AgentSession } from "./session.js";
export type { ToolCall, ToolCallFields } from "./tool-call.js";
export type { Turn } from "./turn.js";
