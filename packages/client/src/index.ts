export type {
  Activity,
  AgentCapabilities,
  Anomaly,
  AuthMethod,
  AvailableCommand,
  BackgroundWork,
  ConfigOption,
  ContentBlock,
  Cost,
  DialectName,
  ElicitationAnswer,
  ElicitationForm,
  Entry,
  ErrorObject,
  Implementation,
  KeyedList,
  McpServer,
  MessageEntry,
  Meta,
  PendingElicitation,
  PendingPermission,
  PermissionOption,
  PermissionSubject,
  PersistentList,
  Plan,
  PlanEntry,
  SessionEvent,
  SessionInfo,
  SessionState,
  SessionWorkspace,
  StateLimits,
  StopReason,
  SubagentState,
  SystemPrompt,
  TerminalState,
  TokenUsage,
  ToolCallEntry,
  TurnOutcome,
} from "@turnkit/session";
export type {
  Channel,
  CloseReason,
  ConnectionLimits,
  ContractRow,
  Diagnostic,
  ExtensionMethod,
  RequestOptions,
  RequestSignal,
  StandardSchemaV1,
} from "@turnkit/transport";
export { createExtension, isAcpError, isRpcError, RpcError, rpcErrorCode } from "@turnkit/transport";
export type { Client, SessionFilter } from "./client.js";
export type { ClientOptions } from "./client-options.js";
export { allDialects, connect, connectWith } from "./connect.js";
export type { Dialect, Peer } from "./driver/driver.js";
export { seedDialect } from "./driver/seed.js";
export { v1Dialect } from "./driver/v1.js";
export { v2Dialect } from "./driver/v2.js";
export type {
  ElicitationHandler,
  ElicitationHandlers,
  Elicitations,
  FormRequest,
  UrlRequest,
} from "./elicitations.js";
export { createElicitations } from "./elicitations.js";
export type { FileHandlers, FileHost, FileLimits, ReadTextFile, WriteTextFile } from "./host/files.js";
export { createFileHandlers } from "./host/files.js";
export type { HostSession } from "./host/hosted-session.js";
export type { CreateTerminal, HostTerminal, TerminalExit, TerminalHandlers, TerminalHost } from "./host/terminals.js";
export { createTerminalHandlers } from "./host/terminals.js";
export type { KeyEvidence, KeyedAgent } from "./key-evidence.js";
export { createKeyEvidence } from "./key-evidence.js";
export type { LoggedIn, LoginOptions } from "./login.js";
export { withLogin } from "./login.js";
export type { OutcomeUnknownError, SubmittedPrompt } from "./outcome-unknown.js";
export { isOutcomeUnknown } from "./outcome-unknown.js";
export type { OutgoingContracts } from "./outgoing-contracts.js";
export { outgoingContracts } from "./outgoing-contracts.js";
export type { PermissionPolicy, PermissionRequest } from "./permissions.js";
export { allowOnce, rejectOnce } from "./permissions.js";
export type { RestoreFailure, RestoreOutcome } from "./restore.js";
export type { RetryClass } from "./retry-class.js";
export { retryClass } from "./retry-class.js";
export type { RetriedPrompt, RetryPromptOptions } from "./retry-prompt.js";
export { retryPrompt } from "./retry-prompt.js";
export type { EventListener, PermissionDecision, PromptOptions, Session, WhilePrompting } from "./session.js";
export type { Turn, TurnEnd } from "./turn.js";
