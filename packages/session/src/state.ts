import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type {
  BackgroundWork,
  ErrorObject,
  ExitStatus,
  MessageRole,
  PermissionOption,
  PermissionSubject,
  StopReason,
  TokenUsage,
} from "./event.js";
import type { Keyed } from "./keyed.js";
import type { Plan } from "./plan.js";
import type { Sequence } from "./sequence.js";
import type { AvailableCommand, ConfigOption, Cost } from "./settings.js";
import type { ToolCallCapabilities, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from "./tool-call.js";

/** How much of an entry's front was dropped to stay within `limits.stateBytes`. */
export type Dropped = { readonly items: number; readonly bytes: number };

/** A message, complete or still growing. */
export type MessageEntry = {
  readonly type: "message";
  /** Unique in the timeline; stays while the entry lives, so it is fit as a list key. */
  readonly key: string;
  readonly role: MessageRole;
  /** The agent's id for it; absent where version 1 gave none. */
  readonly messageId?: string;
  /** The blocks as they came, never merged; `messageText` joins them. */
  readonly content: Sequence<ContentBlock>;
  /** On a prompt of this client: which, and how far it got. */
  readonly prompt?: {
    readonly promptId: string;
    readonly status: "sent" | "accepted" | "failed";
    /** Why it failed. */
    readonly error?: ErrorObject;
  };
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** A tool call as it stands. */
export type ToolCallEntry = {
  readonly type: "tool_call";
  readonly key: string;
  readonly toolCallId: string;
  readonly name?: string;
  readonly title?: string;
  readonly kind: ToolKind;
  /** `cancelled` also while `cancelledLocally` says that only this side thinks so. */
  readonly status: ToolCallStatus;
  /** Set when a cancel was asked while the call was unfinished; holds what the agent last said. */
  readonly cancelledLocally?: { readonly reported: ToolCallStatus };
  readonly content: Sequence<ToolCallContent>;
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly capabilities?: ToolCallCapabilities;
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** A notice of the agent at the place where it came; not part of the conversation. */
export type NoticeEntry = {
  readonly type: "notice";
  readonly key: string;
  readonly severity: "info" | "warning" | "error" | UnknownTag;
  readonly title: string;
  readonly description?: string;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** A compaction of the agent's context. Earlier entries stay: it says nothing about them. */
export type CompactionEntry = {
  readonly type: "compaction";
  readonly key: string;
  readonly compactionId: string;
  readonly status: "in_progress" | "completed" | "failed" | "cancelled" | UnknownTag;
  readonly summary: Sequence<ContentBlock>;
  readonly error?: string;
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** An update of a kind that nobody here knows, kept as it came. */
export type UnknownEntry = {
  readonly type: "unknown";
  readonly key: string;
  readonly raw: unknown;
  readonly reason?: string;
  readonly at?: number;
};

/** Stands at the head of a timeline for the entries that were dropped to stay within `limits.stateBytes`. */
export type TrimmedEntry = {
  readonly type: "trimmed";
  readonly key: "trimmed";
  readonly messages: number;
  readonly toolCalls: number;
  readonly others: number;
  readonly bytes: number;
};

/** One item of the timeline, in the order of first sight. An unchanged entry keeps its identity from state to state. */
export type Entry = MessageEntry | ToolCallEntry | NoticeEntry | CompactionEntry | UnknownEntry | TrimmedEntry;

/** A terminal of the client (version 1) or of the agent (version 2). */
export type TerminalState = {
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  /** Decoded across chunk borders, invalid bytes as U+FFFD, control sequences left in; the newest text only. */
  readonly text: string;
  /** Of `text`, as UTF-8. */
  readonly textBytes: number;
  /** Bytes of text (as UTF-8) dropped from the front. */
  readonly droppedBytes: number;
  /** Bytes of a character that has not come whole yet. */
  readonly pendingBytes: readonly number[];
  readonly exitStatus?: ExitStatus;
  readonly size?: { readonly cols: number; readonly rows: number };
  readonly capabilities?: { readonly cancel?: Meta | null };
  readonly _meta?: Meta;
};

/** What the session is doing. "Turn ended" is {@link SessionState.lastTurn}, not this. */
export type Activity = {
  readonly state: "idle" | "running" | "requires_action" | UnknownTag;
  /** `request`: concluded from the open prompt, since the dialect reports no state. */
  readonly origin: "request" | "reported";
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage;
  /** Absent: not reported, which is not the same as none. */
  readonly background?: readonly BackgroundWork[];
};

/** How the last turn ended. */
export type TurnOutcome = {
  readonly promptId?: string;
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage;
};

/** A permission question that nobody has answered yet. */
export type PendingPermission = {
  readonly requestId: string;
  readonly title: string;
  readonly description?: string;
  readonly subject?: PermissionSubject;
  readonly options: readonly PermissionOption[];
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Something a well-behaved peer would not have done; the state absorbed it. */
export type Anomaly = { readonly what: string; readonly about?: string };

/** Everything that a user interface may draw of one session. Plain and readonly; old states stay valid. */
export type SessionState = {
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly additionalDirectories: readonly string[];
  readonly title?: string;
  readonly updatedAt?: string;
  readonly _meta?: Meta;
  readonly timeline: Keyed<Entry>;
  readonly terminals: Keyed<TerminalState>;
  readonly plans: Keyed<Plan>;
  readonly activity: Activity;
  readonly lastTurn?: TurnOutcome;
  /** Between `replay_started` and `replay_ended`. */
  readonly replaying: boolean;
  /** From `cancel_asked` to the end of the work it is about. */
  readonly cancelling: boolean;
  readonly closed: boolean;
  readonly usage?: { readonly used: number; readonly size: number; readonly cost?: Cost };
  /** `undefined` until the agent said something about it. */
  readonly availableCommands?: readonly AvailableCommand[];
  readonly configOptions?: readonly ConfigOption[];
  readonly pendingPermissions: readonly PendingPermission[];
  /** The newest 100. */
  readonly anomalies: readonly Anomaly[];
  /** An estimate, in bytes, of what the state holds. */
  readonly bytes: number;
  readonly limits: StateLimits;
  /** Bookkeeping of the reducer; no part of the picture. */
  readonly internal: ReducerMemory;
};

/** Bounds of a state. At `stateBytes` the oldest finished entries become one `trimmed` entry. */
export type StateLimits = {
  /** 64 MiB unless said otherwise. */
  readonly stateBytes: number;
  /** Kept text of one terminal; 1 MiB unless said otherwise. */
  readonly terminalBytes: number;
};

/** What the reducer remembers between events to draw message borders and merge echoes. */
export type ReducerMemory = {
  /** Key of the message that a chunk without an id would join. */
  readonly openMessage?: string;
  /** A real `state_update` was seen: open prompts say nothing about the activity any more (V2-SEED-07). */
  readonly stateReported: boolean;
  /** Lists that an update brought before the session's own answer. */
  readonly updatedLists: { readonly commands: boolean; readonly options: boolean };
  /** Numbers the keys of entries without an id. */
  readonly serial: number;
  /** Keys of prompts that the agent has not echoed yet; their content is this side's own. */
  readonly unechoed: readonly string[];
  /** Prompts whose turn is open, where the dialect reports no state. */
  readonly openTurns: readonly string[];
  /** A mode that was told before there was an option to set. */
  readonly earlyMode?: string;
};
