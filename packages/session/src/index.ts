export type {
  BackgroundWork,
  ErrorObject,
  StopReason,
  SubagentActivity,
  SubagentPatch,
  SubagentState,
  TokenUsage,
} from "./activity.js";
export type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  Implementation,
  ListSessions,
  McpServer,
  NamedValue,
  ReplayFrom,
  SessionInfo,
  SessionLists,
  SessionPage,
  SessionWorkspace,
  SystemPrompt,
} from "./call.js";
export type { DialectName } from "./codec/losses.js";
export { decodeV1 } from "./codec/v1/decode.js";
export { decodeV2 } from "./codec/v2/decode.js";
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  Meta,
  ResourceLink,
  TextContent,
  UnknownContent,
  UnknownTag,
} from "./content.js";
export { createSessionState } from "./create-session-state.js";
export type { Changes } from "./diff-states.js";
export { diffStates } from "./diff-states.js";
export type {
  ElicitationAnswer,
  ElicitationChoice,
  ElicitationField,
  ElicitationForm,
  ElicitationQuestion,
  ElicitationScope,
} from "./elicitation.js";
export type {
  CompactionEntry,
  Dropped,
  Entry,
  MessageEntry,
  NoticeEntry,
  SessionMessageEntry,
  ToolCallEntry,
  TrimmedEntry,
  UnknownEntry,
} from "./entry.js";
export type {
  ExitStatus,
  LocalEvent,
  MessageChunk,
  MessageRole,
  MessageUpsert,
  SessionEvent,
  SessionMessagePatch,
  StateUpdate,
  TerminalPatch,
  WireEvent,
} from "./event.js";
export type { KeyedChanges } from "./keyed-list.js";
export { replacingMetadata } from "./metadata.js";
export type { Nesting, ParentResolver } from "./nesting.js";
export { createNestingSelector } from "./nesting.js";
export type { PermissionOption, PermissionOutcome, PermissionQuestion, PermissionSubject } from "./permission.js";
export type { Plan, PlanEntry } from "./plan.js";
export { DEFAULT_PLAN_ID } from "./plan.js";
export { reduce, reduceAll } from "./reduce.js";
export type { Choices, PendingQuestion } from "./select.js";
export {
  currentMessage,
  messageParts,
  messageText,
  needsLogin,
  pendingQuestions,
  selectAuthor,
  selectIcons,
  selectModels,
  selectModes,
  toolCallsByStatus,
  visiblePlan,
} from "./select.js";
export type {
  AvailableCommand,
  BooleanOption,
  ConfigChoice,
  ConfigChoiceGroup,
  ConfigOption,
  Cost,
  SelectOption,
} from "./settings.js";
export type { Snapshot, SnapshotReading } from "./snapshot.js";
export { createSnapshot, readSnapshot } from "./snapshot.js";
export type {
  Activity,
  Anomaly,
  PendingElicitation,
  PendingPermission,
  ReducerMemory,
  SessionState,
  StateLimits,
  TerminalState,
  TurnOutcome,
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
export type { SessionTree, TreeNode } from "./tree.js";
export { createSessionTree, reduceTree } from "./tree.js";
export type { TreeSnapshot } from "./tree-snapshot.js";
export { createTreeSnapshot, readTreeSnapshot } from "./tree-snapshot.js";
export type { TreeItem, TreeView } from "./tree-view.js";
export { selectTree } from "./tree-view.js";
export type { KeyedList, PersistentList } from "./vector.js";
