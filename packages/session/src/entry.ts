import type { ErrorObject } from "./activity.js";
import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type { MessageRole } from "./event.js";
import type { ToolCallCapabilities, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from "./tool-call.js";
import type { PersistentList } from "./vector.js";

/**
 * Number and bytes of the items that an entry dropped, the oldest first, to stay within `entryBytes` and `stateBytes`.
 * A message or summary that is sent again as a whole has dropped nothing.
 */
export type Dropped = { readonly items: number; readonly bytes: number };

/** A message, complete or still growing. */
export type MessageEntry = {
  readonly type: "message";
  /** Unique in the timeline; stays while the entry lives, so it is fit as a list key. */
  readonly key: string;
  readonly role: MessageRole;
  /** Id from the agent. Version 1 may give none. */
  readonly messageId?: string;
  /** Blocks as they were received, never merged; `messageText` joins them. */
  readonly content: PersistentList<ContentBlock>;
  /** Delivery status of a prompt sent by this client: local id and state. */
  readonly prompt?: {
    readonly promptId: string;
    readonly status: "sent" | "accepted" | "failed";
    /** Why it failed. */
    readonly error?: ErrorObject;
  };
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  /** Metadata of the first chunk, which may name the speaker. */
  // V2-UPD-05
  readonly chunkMeta?: Meta;
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
  /** `cancelled` also if only this side knows of the cancel: see `cancelledLocally`. */
  readonly status: ToolCallStatus;
  /** Set by a cancel while the call was unfinished: the last status from the agent. */
  readonly cancelledLocally?: { readonly reported: ToolCallStatus };
  readonly content: PersistentList<ToolCallContent>;
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly capabilities?: ToolCallCapabilities;
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Notice of the agent. It does not belong to the conversation. */
export type NoticeEntry = {
  readonly type: "notice";
  readonly key: string;
  readonly severity: "info" | "warning" | "error" | UnknownTag;
  readonly title: string;
  readonly description?: string;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Compaction of the agent's context. Earlier entries stay. */
export type CompactionEntry = {
  readonly type: "compaction";
  readonly key: string;
  readonly compactionId: string;
  readonly status: "in_progress" | "completed" | "failed" | "cancelled" | UnknownTag;
  readonly summary: PersistentList<ContentBlock>;
  readonly error?: string;
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Message between two sessions. Unstable, version 2 only. */
export type SessionMessageEntry = {
  readonly type: "session_message";
  readonly key: string;
  readonly messageId: string;
  readonly senderSessionId?: string;
  readonly recipientSessionId?: string;
  /** Id of an incoming message in the transcript of its sender. */
  readonly senderMessageId?: string;
  /** Id of an outgoing message in the transcript of its recipient. */
  readonly recipientMessageId?: string;
  readonly content: PersistentList<ContentBlock>;
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Update of an unknown kind, unchanged. */
export type UnknownEntry = {
  readonly type: "unknown";
  readonly key: string;
  readonly raw: unknown;
  readonly reason?: string;
  readonly at?: number;
};

/** First entry of a trimmed timeline. Counts the entries that were dropped to stay within `limits.stateBytes`. */
export type TrimmedEntry = {
  readonly type: "trimmed";
  readonly key: "trimmed";
  readonly messages: number;
  readonly toolCalls: number;
  readonly others: number;
  readonly bytes: number;
};

/** One item of the timeline, in the order of arrival. An unchanged entry is the same object in later states. */
export type Entry =
  | MessageEntry
  | ToolCallEntry
  | NoticeEntry
  | CompactionEntry
  | SessionMessageEntry
  | UnknownEntry
  | TrimmedEntry;
