export type {
  AuthMethod,
  ConfigOption,
  ContentBlock,
  Dialect,
  ElicitationAnswer,
  McpServer,
  PermissionOption,
  SessionEvent,
  SessionInfo,
  SessionPlace,
  SessionState,
  StopReason,
} from "@turnkit/session";
export type { Channel, CloseReason, Diagnostic } from "@turnkit/transport";
export { isAcpError, isRpcError, RpcError, rpcErrorCode } from "@turnkit/transport";
export type { Client, ClientOptions, SessionFilter } from "./client.js";
export { connect, connectIn, everyDialect } from "./client.js";
export type { Dialogue, Peer } from "./driver/driver.js";
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
export type { Files } from "./host/file-routes.js";
export { createFiles } from "./host/file-routes.js";
export type { FileHost, HostSession, ReadTextFile, WriteTextFile } from "./host/files.js";
export type { Terminals } from "./host/terminal-routes.js";
export { createTerminals } from "./host/terminal-routes.js";
export type { CreateTerminal, HostTerminal, TerminalExit, TerminalHost } from "./host/terminals.js";
export type { LoggedIn, LoginOptions } from "./login.js";
export { withLogin } from "./login.js";
export type { OutgoingContracts } from "./outgoing-contracts.js";
export { outgoingContracts } from "./outgoing-contracts.js";
export type { PermissionDecision, PermissionPolicy, PermissionRequest } from "./permissions.js";
export type { RestoreFailure, RestoreOutcome } from "./restore.js";
export type { EventListener, PromptOptions, Session, WhilePrompting } from "./session.js";
export type { Turn, TurnEnd } from "./turn.js";
