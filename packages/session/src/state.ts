import type { BackgroundWork, ErrorObject, StopReason, SubagentState, TokenUsage } from "./activity.js";
import type { Meta, UnknownTag } from "./content.js";
import type { ElicitationQuestion } from "./elicitation.js";
import type { Entry } from "./entry.js";
import type { ExitStatus } from "./event.js";
import type { PermissionOption, PermissionSubject } from "./permission.js";
import type { Plan } from "./plan.js";
import type { AvailableCommand, ConfigOption, Cost } from "./settings.js";
import type { KeyedList } from "./vector.js";

/** A terminal of the client (version 1) or of the agent (version 2). */
export type TerminalState = {
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  /** Decoded across chunk borders, invalid bytes as U+FFFD, control sequences left in; the newest text only. */
  readonly text: string;
  /** Length of `text` in bytes of UTF-8. */
  readonly textBytes: number;
  /** Bytes of text (as UTF-8) dropped from the front. */
  readonly droppedBytes: number;
  /** First bytes of a character whose other bytes have not arrived yet. */
  readonly pendingBytes: readonly number[];
  readonly exitStatus?: ExitStatus;
  readonly size?: { readonly cols: number; readonly rows: number };
  readonly capabilities?: { readonly cancel?: Meta | null };
  readonly _meta?: Meta;
};

/** Current activity of the session. The end of a turn is {@link SessionState.lastTurn}. */
export type Activity = {
  /** For any other value, `lastKnown` is the last known one. */
  readonly state: "idle" | "running" | "requires_action" | UnknownTag;
  readonly lastKnown?: "idle" | "running" | "requires_action";
  /** `request`: derived from the open prompt, because the dialect reports no state. */
  readonly origin: "request" | "reported";
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage;
  /** Absent: not reported, which is not the same as none. */
  readonly background?: readonly BackgroundWork[];
};

/** End of the last turn. */
export type TurnOutcome = {
  readonly promptId?: string;
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage;
};

/** Permission question without an answer yet. */
export type PendingPermission = {
  readonly requestId: string;
  readonly title: string;
  readonly description?: string;
  readonly subject?: PermissionSubject;
  readonly options: readonly PermissionOption[];
  readonly _meta?: Meta;
  readonly at?: number;
};

/**
 * Question of the agent to the person. `asked`: waits for an answer. `accepted`: the person opened the URL, and the
 * task is not done. `completed`: the task was done before the answer.
 */
export type PendingElicitation = ElicitationQuestion & {
  readonly requestId: string;
  readonly toolCallId?: string;
  readonly status: "asked" | "accepted" | "completed";
  readonly at?: number;
};

/** History of a session that was replayed. */
export type ReplayedHistory = {
  /** Key of the last entry of the history. Later entries are live. Absent for an empty history. */
  readonly end?: string;
};

/** Act of the peer against the protocol. The state absorbed it. */
export type Anomaly = { readonly what: string; readonly about?: string };

/** Everything that a user interface may draw of one session, as plain readonly data. Old states stay valid. */
export type SessionState = {
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly additionalDirectories: readonly string[];
  readonly title?: string;
  readonly updatedAt?: string;
  readonly _meta?: Meta;
  readonly timeline: KeyedList<Entry>;
  readonly terminals: KeyedList<TerminalState>;
  readonly plans: KeyedList<Plan>;
  readonly activity: Activity;
  readonly lastTurn?: TurnOutcome;
  /** Between `replay_started` and `replay_ended`. */
  readonly replaying: boolean;
  /** History of the newest replay, once all of it was received. */
  readonly history?: ReplayedHistory;
  /** True from `cancel_asked` to the end of the work that it cancels. */
  readonly cancelling: boolean;
  readonly closed: boolean;
  readonly usage?: { readonly used: number; readonly size: number; readonly cost?: Cost; readonly _meta?: Meta };
  /** `undefined` until the agent reports it. */
  readonly availableCommands?: readonly AvailableCommand[];
  readonly configOptions?: readonly ConfigOption[];
  readonly pendingPermissions: readonly PendingPermission[];
  readonly pendingElicitations: readonly PendingElicitation[];
  /** Child sessions, by their id. */
  readonly subagents: KeyedList<SubagentState>;
  /** The newest 100. */
  readonly anomalies: readonly Anomaly[];
  /** An estimate, in bytes, of what the state holds. */
  readonly bytes: number;
  readonly limits: StateLimits;
  /** Memory of the reducer; not for display. */
  readonly internal: ReducerMemory;
};

/**
 * Bounds of a state, in bytes: two for each UTF-16 unit of a text. At `stateBytes` the oldest finished entries become one
 * `trimmed` entry. At `entryBytes` an entry loses the oldest quarter of its text. `Infinity` becomes the largest safe integer.
 */
export type StateLimits = {
  /** @defaultValue 64 MiB */
  readonly stateBytes: number;
  /**
   * Bytes of text that pieces add to one message or summary. The default is 1 MiB, and at most half of `stateBytes`.
   * The oldest text is dropped in groups of 64 pieces. A group that holds an image or annotated text is not counted and
   * not dropped.
   */
  readonly entryBytes: number;
  /** Kept text of one terminal, in bytes of UTF-8. @defaultValue 1 MiB */
  readonly terminalBytes: number;
};

/** Memory of the reducer between events, for the borders of messages and the merge of echoes. */
export type ReducerMemory = {
  /** Key of the message that a chunk without an id would join. */
  readonly openMessage?: string;
  /** True after the first `state_update`. From then on the activity is not derived from open prompts. */
  // V2-SEED-07
  readonly stateReported: boolean;
  /** Lists that an update brought before the session's own answer. */
  readonly updatedLists: { readonly commands: boolean; readonly options: boolean };
  /** Numbers the keys of entries without an id. */
  readonly serial: number;
  /** Keys of prompts that the agent has not echoed yet; their content is this side's own. */
  readonly unechoed: readonly string[];
  /** Prompts whose turn is open, where the dialect reports no state. */
  readonly openTurns: readonly string[];
  /** Mode that was reported before there was an option to set. */
  readonly earlyMode?: string;
};
