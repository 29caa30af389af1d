export type {
  Activity,
  Anomaly,
  AuthMethod,
  AvailableCommand,
  BackgroundWork,
  ClientCapabilities,
  ConfigOption,
  ContentBlock,
  Cost,
  DialectName,
  ElicitationAnswer,
  ElicitationForm,
  ElicitationQuestion,
  Entry,
  ErrorObject,
  ExitStatus,
  Implementation,
  KeyedList,
  ListSessions,
  McpServer,
  MessageEntry,
  Meta,
  PendingElicitation,
  PendingPermission,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  PermissionSubject,
  PersistentList,
  Plan,
  PlanEntry,
  SessionEvent,
  SessionInfo,
  SessionPage,
  SessionState,
  StateLimits,
  StopReason,
  SubagentState,
  TerminalState,
  TokenUsage,
  ToolCallContent,
  ToolCallEntry,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
  TurnOutcome,
  WireEvent,
} from "@turnkit/session";
export type { Loss, LossRow } from "@turnkit/session/codec";
export { losses } from "@turnkit/session/codec";
export type {
  Channel,
  CloseReason,
  ConnectionLimits,
  ContractRow,
  Diagnostic,
  ExtensionMethod,
  RequestOptions,
  RequestSignal,
  Room,
  StandardSchemaV1,
} from "@turnkit/transport";
export { createExtension, isAcpError, isRpcError, RpcError } from "@turnkit/transport";
export type { Agent, AgentConnection } from "./agent.js";
export { allDialects, createAgent, createAgentWith } from "./agent.js";
export type {
  AgentHandlers,
  DataHandlers,
  Extension,
  NewSession,
  RestoreSession,
  SessionSetup,
  SetupAnswer,
} from "./agent-handlers.js";
export type { AgentTerminal, AgentTerminalStart } from "./agent-terminal.js";
export type { CallLimits } from "./call-order.js";
export type { ChildEnd, ChildOptions, ChildSession } from "./child-session.js";
export type { ClientCall } from "./client-call.js";
export type { ClientInfo } from "./client-info.js";
export type { ClientFiles } from "./client-tools/files.js";
export type { ClientTerminal, ClientTerminals, TerminalCommand, TerminalExit } from "./client-tools/terminals.js";
export { compactEvents } from "./compact-events.js";
export type { Dialect } from "./driver/driver.js";
export { seedDialect } from "./driver/seed.js";
export { v1Dialect } from "./driver/v1.js";
export { v2Dialect } from "./driver/v2.js";
export type { MemoryLogOptions } from "./memory-log.js";
export { createMemoryLog } from "./memory-log.js";
export type { OutgoingContracts } from "./outgoing-contracts.js";
export { outgoingContracts } from "./outgoing-contracts.js";
export { keepSessions } from "./persistence.js";
export { MAX_WAITING_PROMPTS } from "./prompt-queue.js";
export type { AskedQuestion, PermissionAnswer } from "./questions.js";
export { defaultPermissionOptions } from "./questions.js";
export { replayEvents } from "./replay.js";
export type { ServeOptions } from "./serve-options.js";
export type { AgentSession, CommandOffer } from "./session.js";
export { MAX_HELD_BYTES, MAX_HELD_UPDATES, MAX_TITLE_LENGTH } from "./session.js";
export type { SessionLimits } from "./session-limits.js";
export type { SessionKeeper, SessionLog, SessionLogProblem, SessionLogWriter } from "./session-log.js";
export { isSessionLogError, SessionLogError, sessionInfoAfter } from "./session-log.js";
export type { ToolCall, ToolCallFields, ToolCallStart, ToolRunOptions } from "./tool-call.js";
export type { SlashCommand, Turn } from "./turn.js";
export type { TurnResult } from "./turn-end.js";
