import type { BackgroundWork, ErrorObject, StopReason, SubagentPatch, TokenUsage } from "./activity.js";
import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type { ElicitationAnswer, ElicitationQuestion } from "./elicitation.js";
import type { PermissionOutcome, PermissionQuestion } from "./permission.js";
import type { Plan } from "./plan.js";
import type { AvailableCommand, ConfigOption, Cost } from "./settings.js";
import type { ToolCallContent, ToolCallPatch } from "./tool-call.js";

/** End of a process. An empty object also means that the process has ended. */
export type ExitStatus = { readonly exitCode?: number | null; readonly signal?: string | null };

/** Author of a message. */
export type MessageRole = "user" | "agent" | "thought";

type Patched = { readonly _meta?: Meta | null };

/** Whole message, or a change of a message. An absent `content` changes nothing. `null` and `[]` empty the content. */
export type MessageUpsert = Patched & {
  readonly type: "user_message" | "agent_message" | "agent_thought";
  readonly messageId: string;
  readonly content?: readonly ContentBlock[] | null;
};

/** Next content block of a message. Version 1 may leave out the id. The reducer then finds the message. */
export type MessageChunk = Patched & {
  readonly type: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";
  readonly messageId?: string;
  readonly content: ContentBlock;
};

/** Complete report of the session's activity. It replaces the previous report. */
export type StateUpdate = Patched & {
  readonly type: "state_update";
  /** Show an unknown value as busy. */
  readonly state: "running" | "idle" | "requires_action" | UnknownTag;
  /** `[]` means that nothing runs. If the list is absent or `null`, background work is not reported. */
  readonly background?: readonly BackgroundWork[] | null;
  readonly stopReason?: StopReason | null;
  readonly error?: ErrorObject | null;
  readonly usage?: TokenUsage | null;
  /** `true` if the parent of a child session has reported this activity. It is never sent. */
  readonly isMirrored?: true;
};

/** New or changed terminal. The members follow the rule of {@link ToolCallPatch}. */
export type TerminalPatch = Patched & {
  readonly type: "terminal_update";
  readonly terminalId: string;
  readonly command?: string | null;
  readonly cwd?: string | null;
  /** All output until now as base64. It replaces the earlier output. */
  readonly output?: { readonly data: string } | null;
  readonly exitStatus?: ExitStatus | null;
  readonly size?: { readonly cols: number; readonly rows: number } | null;
  readonly capabilities?: { readonly cancel?: Meta | null } | null;
};

/** New or changed message between sessions. The members follow the rule of {@link ToolCallPatch}. */
export type SessionMessagePatch = Patched & {
  readonly type: "session_message";
  readonly messageId: string;
  readonly senderSessionId?: string | null;
  readonly recipientSessionId?: string | null;
  readonly senderMessageId?: string | null;
  readonly recipientMessageId?: string | null;
  readonly content?: readonly ContentBlock[] | null;
};

/** Event from the wire, in one form for every protocol version. The form is that of version 2. */
export type WireEvent =
  | MessageUpsert
  | MessageChunk
  | StateUpdate
  | ({ readonly type: "tool_call_update" } & ToolCallPatch)
  | (Patched & {
      readonly type: "tool_call_content_chunk";
      readonly toolCallId: string;
      readonly content: ToolCallContent;
    })
  | TerminalPatch
  /** `data` is the next part of the output as base64. A part may end inside a character. */
  | (Patched & { readonly type: "terminal_output_chunk"; readonly terminalId: string; readonly data: string })
  | (Patched & { readonly type: "plan_update"; readonly plan: Plan })
  | (Patched & { readonly type: "plan_removed"; readonly planId: string })
  | (Patched & {
      readonly type: "available_commands_update";
      readonly availableCommands: readonly AvailableCommand[];
    })
  | (Patched & { readonly type: "config_option_update"; readonly configOptions: readonly ConfigOption[] })
  /** Version 1: new value of the option with the category `mode`. */
  | (Patched & { readonly type: "current_mode_update"; readonly currentModeId: string })
  | (Patched & {
      readonly type: "session_info_update";
      readonly title?: string | null;
      readonly updatedAt?: string | null;
    })
  /** `used` and `size` are numbers of tokens. An absent `cost` changes nothing, and `null` clears the cost. */
  | (Patched & {
      readonly type: "usage_update";
      readonly used: number;
      readonly size: number;
      readonly cost?: Cost | null;
    })
  | (Patched & {
      readonly type: "notice";
      readonly severity: "info" | "warning" | "error" | UnknownTag;
      readonly title: string;
      readonly description?: string | null;
    })
  | (Patched & {
      readonly type: "compaction_update";
      readonly compactionId: string;
      /** If absent, the status does not change. A new compaction is then `in_progress`. `null` means `in_progress`. */
      readonly status?: "in_progress" | "completed" | "failed" | "cancelled" | UnknownTag | null;
      readonly summary?: readonly ContentBlock[] | null;
      readonly error?: string | null;
    })
  | (Patched & {
      readonly type: "compaction_summary_chunk";
      readonly compactionId: string;
      readonly content: ContentBlock;
    })
  /** New or changed child session. */
  | ({ readonly type: "subagent_update" } & SubagentPatch)
  | SessionMessagePatch
  | (Patched & {
      readonly type: "session_message_chunk";
      readonly messageId: string;
      readonly content: ContentBlock;
    })
  /** Version 2: marker at the end of a replay. Earlier updates are history, and later updates are new. */
  | (Patched & { readonly type: "replay_complete" })
  /** Update that no codec could read, unchanged. */
  | { readonly type: "unknown"; readonly raw: unknown; readonly reason?: string };

/** Event that this side adds to a session. It is never sent. */
export type LocalEvent =
  /**
   * Answer to a request that opens or restores a session. If an update has brought a list before the answer, the list
   * of the update stays.
   */
  | {
      readonly type: "session_opened";
      readonly sessionId: string;
      readonly cwd?: string;
      readonly additionalDirectories?: readonly string[];
      readonly configOptions?: readonly ConfigOption[] | null;
      readonly availableCommands?: readonly AvailableCommand[] | null;
    }
  /** Prompt of this side. It is shown immediately, and merged with the agent's echo of the same message. */
  | {
      readonly type: "prompt_sent";
      readonly promptId: string;
      readonly content: readonly ContentBlock[];
      /** Key of the prompt in version 2. A further attempt with this key and `promptId` adds no second message. */
      readonly idempotencyKey?: string;
    }
  | { readonly type: "prompt_accepted"; readonly promptId: string; readonly messageId?: string }
  /** The agent refused the prompt before it became part of the conversation. */
  | { readonly type: "prompt_failed"; readonly promptId: string; readonly error: ErrorObject }
  /** Start of the turn of a prompt. In dialects without `state_update`, the agent works while a turn is open. */
  | { readonly type: "turn_started"; readonly promptId: string }
  | {
      readonly type: "turn_ended";
      readonly promptId?: string;
      readonly stopReason?: StopReason;
      readonly error?: ErrorObject;
      readonly usage?: TokenUsage | null;
      /** `false` if this side has ended the turn without the agent, which may still work. */
      readonly agentConfirmed?: false;
    }
  | { readonly type: "cancel_asked" }
  /** Question of the agent for a permission. `subject.toolCall` is applied like a `tool_call_update`. */
  | ({ readonly type: "permission_asked"; readonly requestId: string } & PermissionQuestion)
  | { readonly type: "permission_answered"; readonly requestId: string; readonly outcome: PermissionOutcome }
  | ({
      readonly type: "elicitation_asked";
      readonly requestId: string;
      /** Id of the tool call that needs the answer. */
      readonly toolCallId?: string | null;
    } & ElicitationQuestion)
  | { readonly type: "elicitation_answered"; readonly requestId: string; readonly answer: ElicitationAnswer }
  /** Report that the task at a URL is done. */
  | { readonly type: "elicitation_completed"; readonly elicitationId: string }
  /** New value of an option that the agent has accepted. */
  | { readonly type: "config_option_set"; readonly configId: string; readonly value: string | boolean }
  /**
   * Start of a replay. The timeline is emptied, and the conversation follows from its beginning. With `keeps`, the
   * timeline is not emptied, because the restore has no replay. Until `replay_ended`, a reported state does not end any
   * work.
   */
  // V2-SES-11
  | { readonly type: "replay_started"; readonly keeps?: boolean }
  | { readonly type: "replay_ended" }
  /**
   * Part of a stored state that no other event can restore. See `stateEvents`. `value` is a member of the state, or an
   * item of `timeline`, `terminals`, `plans` or `subagents`.
   *
   * - The members of an item replace the members of the existing item with the same key, and its content is added.
   * - Items of `pendingPermissions`, `pendingElicitations` and `anomalies` are added.
   * - `null` means the value in a new state.
   */
  | { readonly type: "state_restored"; readonly member: string; readonly value: unknown }
  /**
   * Data of an agent in the log of its session. The event does not change the state. Without `data`, the earlier data
   * is removed. With only `isOutdated`, the earlier data stays.
   */
  | {
      readonly type: "session_data";
      readonly data?: unknown;
      readonly dataVersion: number;
      readonly isOutdated?: true;
    }
  /**
   * Event of a child session, in the log of its root session. `sessionId` is the id of the child session. The event does not
   * change the state of the root session.
   */
  | { readonly type: "child_session_event"; readonly sessionId: string; readonly event: SessionEvent }
  | { readonly type: "session_closed"; readonly reason?: string };

/**
 * Event of one session. Events are ordered. The producer of the event sets `at` (milliseconds since 1970), because the
 * reducer reads no clock.
 */
export type SessionEvent = (WireEvent | LocalEvent) & {
  readonly at?: number;
  /** Members of the update that exist in no version of the protocol, unchanged. */
  readonly extra?: Meta;
  /**
   * `true` if this side has created the event, because the dialect does not have it. Such an event repeats other events
   * and changes no state. With these events, listeners get the same events in every dialect.
   */
  readonly isImplied?: true;
  /**
   * Key of the prompt that became this `user_message`, in the log of an agent. `hash` is a hash of the prompt's content.
   * It is never sent.
   */
  readonly promptKey?: { readonly key: string; readonly hash: string };
};

/** Event with one of the given types. */
export type EventOf<T extends SessionEvent["type"]> = SessionEvent & { readonly type: T };
