import type { BackgroundWork, ErrorObject, StopReason, SubagentState, TokenUsage } from "./activity.js";
import type { Meta, UnknownTag } from "./content.js";
import type { ElicitationQuestion } from "./elicitation.js";
import type { Entry } from "./entry.js";
import type { ExitStatus } from "./event.js";
import type { PermissionOption, PermissionSubject } from "./permission.js";
import type { Plan } from "./plan.js";
import type { AvailableCommand, ConfigOption, Cost } from "./settings.js";
import type { KeyedList } from "./vector.js";

/** Terminal of the client (version 1) or of the agent (version 2). */
export type TerminalState = {
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  /** Newest output as text. Control sequences stay in the text, and invalid bytes become U+FFFD. */
  readonly text: string;
  /** Length of `text` in bytes of UTF-8. */
  readonly textBytes: number;
  /** Number of bytes that were dropped from the start of the text, as UTF-8. */
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
  /** For an unknown value, `lastKnown` is the last known value. */
  readonly state: "idle" | "running" | "requires_action" | UnknownTag;
  readonly lastKnown?: "idle" | "running" | "requires_action";
  /**
   * - `reported`: the session has reported its activity.
   * - `mirrored`: the parent of this child session has reported it.
   * - `request`: the activity was derived from the open prompt, because the dialect reports none.
   */
  readonly origin: "request" | "mirrored" | "reported";
  readonly stopReason?: StopReason;
  readonly error?: ErrorObject;
  readonly usage?: TokenUsage;
  /** If it is absent, background work is not reported. Some may still exist. */
  readonly background?: readonly BackgroundWork[];
};

/** End of the turn that ended last. */
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
 * Question of the agent for a person.
 *
 * - `asked`: the question waits for an answer
 * - `accepted`: the person has opened the URL, and the task is not done
 * - `completed`: the task was done before the answer
 */
export type PendingElicitation = ElicitationQuestion & {
  readonly requestId: string;
  readonly toolCallId?: string;
  readonly status: "asked" | "accepted" | "completed";
  readonly at?: number;
};

/** History of a session that was replayed. */
export type ReplayedHistory = {
  /** Key of the last entry of the history. Later entries are new. Absent if the history is empty. */
  readonly end?: string;
};

/** Message of the peer that breaks the protocol. The state is still consistent. */
export type Anomaly = { readonly what: string; readonly about?: string };

/** Everything about one session that a user interface may show, as plain readonly data. Old states stay valid. */
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
  /** `true` between `replay_started` and `replay_ended`. */
  readonly replaying: boolean;
  /** History of the newest replay. Absent until the whole history is received. */
  readonly history?: ReplayedHistory;
  /** `true` from `cancel_asked` until the cancelled work ends. */
  readonly cancelling: boolean;
  readonly closed: boolean;
  readonly usage?: { readonly used: number; readonly size: number; readonly cost?: Cost; readonly _meta?: Meta };
  /** `undefined` until the agent reports commands. */
  readonly availableCommands?: readonly AvailableCommand[];
  readonly configOptions?: readonly ConfigOption[];
  readonly pendingPermissions: readonly PendingPermission[];
  readonly pendingElicitations: readonly PendingElicitation[];
  /** Child sessions by id. */
  readonly subagents: KeyedList<SubagentState>;
  /** Newest 100 anomalies. */
  readonly anomalies: readonly Anomaly[];
  /** Estimated size of the state in memory, in bytes. */
  readonly bytes: number;
  readonly limits: StateLimits;
  /** Memory of the reducer. Do not show it. */
  readonly internal: ReducerMemory;
};

/**
 * Bounds of a state in bytes. Each UTF-16 unit of a text counts two bytes.
 *
 * - At `stateBytes`, the oldest finished entries become one `trimmed` entry.
 * - At `entryBytes`, the oldest quarter of an entry's text is dropped.
 *
 * `Infinity` becomes the largest safe integer.
 */
export type StateLimits = {
  /** @defaultValue 64 MiB */
  readonly stateBytes: number;
  /**
   * Maximum size of the text that pieces add to one message or summary. The default is 1 MiB, but at most half of
   * `stateBytes`. The oldest text is dropped in groups of 64 pieces. A group with an image or annotated text is neither
   * counted nor dropped.
   */
  readonly entryBytes: number;
  /** Maximum length of the text of one terminal, in bytes of UTF-8. */
  readonly terminalBytes: number;
};

/** Memory of the reducer between events. It is needed to find the ends of messages and to merge echoes. */
export type ReducerMemory = {
  /** Key of the message to which a chunk without an id would be added. */
  readonly openMessage?: string;
  /** `true` after the first `state_update`. From then on, the activity is not derived from open prompts. */
  // V2-SEED-07
  readonly stateReported: boolean;
  /** Lists that an update has brought before the answer of the session. */
  readonly updatedLists: { readonly commands: boolean; readonly options: boolean };
  /** Counter for the keys of entries without an id. */
  readonly serial: number;
  /** Keys of prompts that the agent has not echoed yet. Their content comes from this side. */
  readonly unechoed: readonly string[];
  /** Ids of prompts whose turns are open, in dialects that report no state. */
  readonly openTurns: readonly string[];
  /** Mode that was reported before any option could contain it. */
  readonly earlyMode?: string;
};
