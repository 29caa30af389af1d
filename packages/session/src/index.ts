export type {
  AgentCapabilities,
  AuthMethod,
  CallCodec,
  Calls,
  ClientCapabilities,
  Implementation,
  McpServer,
  NamedValue,
  SessionLists,
  SessionPlace,
} from "./call.js";
export type { Codec, Dialect, Encoder } from "./codec/codec.js";
export type { Loss, LossRow } from "./codec/losses.js";
export { losses } from "./codec/losses.js";
export { v1Codec } from "./codec/v1/index.js";
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Meta,
  ResourceLink,
  TextContent,
  UnknownContent,
  UnknownTag,
} from "./content.js";
export { createSessionState } from "./create-session-state.js";
export type {
  BackgroundWork,
  ErrorObject,
  ExitStatus,
  LocalEvent,
  MessageChunk,
  MessageRole,
  MessageUpsert,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  PermissionSubject,
  SessionEvent,
  StateUpdate,
  StopReason,
  TerminalPatch,
  TokenUsage,
  WireEvent,
} from "./event.js";
export type { Keyed } from "./keyed.js";
export type { Plan, PlanEntry } from "./plan.js";
export { MAIN_PLAN } from "./plan.js";
export { reduce, reduceAll } from "./reduce.js";
export type { ChangedFile, Choices, PendingQuestion } from "./select.js";
export {
  changedFiles,
  currentMessage,
  messageText,
  pendingQuestions,
  selectModels,
  selectModes,
  toolCallsByStatus,
  visiblePlan,
} from "./select.js";
export type { Sequence } from "./sequence.js";
export type {
  AvailableCommand,
  BooleanOption,
  ConfigChoice,
  ConfigChoiceGroup,
  ConfigOption,
  Cost,
  SelectOption,
} from "./settings.js";
export type {
  Activity,
  Anomaly,
  CompactionEntry,
  Dropped,
  Entry,
  MessageEntry,
  NoticeEntry,
  PendingPermission,
  ReducerMemory,
  SessionState,
  StateLimits,
  TerminalState,
  ToolCallEntry,
  TrimmedEntry,
  TurnOutcome,
  UnknownEntry,
} from "./state.js";
export type { SessionStore, SessionStoreOptions } from "./store.js";
export { createSessionStore } from "./store.js";
export type {
  Diff,
  DiffChange,
  ToolCallCapabilities,
  ToolCallContent,
  ToolCallLocation,
  ToolCallPatch,
  ToolCallStatus,
  ToolKind,
} from "./tool-call.js";
export { transcriptMarkdown, transcriptText } from "./transcript.js";
