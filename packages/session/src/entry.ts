import type { ErrorObject } from "./activity.js";
import type { ContentBlock, Meta, UnknownTag } from "./content.js";
import type { MessageRole } from "./event.js";
import type { ToolCallCapabilities, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from "./tool-call.js";
import type { PersistentList } from "./vector.js";

/**
 * Number and bytes of the items that an entry dropped to stay within `entryBytes` and `stateBytes`. The oldest items
 * are dropped first. A message or summary that the agent sends again as a whole has no dropped items.
 */
export type Dropped = { readonly items: number; readonly bytes: number };

/** Message that is complete or still grows. */
export type MessageEntry = {
  readonly type: "message";
  /** Unique key in the timeline. It never changes, so a user interface can use it as a list key. */
  readonly key: string;
  readonly role: MessageRole;
  /** Id from the agent. Agents of version 1 may send none. */
  readonly messageId?: string;
  /** Content blocks as they were received. They are never merged; `messageText` joins their texts. */
  readonly content: PersistentList<ContentBlock>;
  /** Delivery status of a prompt that this client has sent, with its local id. */
  readonly prompt?: {
    readonly promptId: string;
    readonly status: "sent" | "accepted" | "failed";
    /** Error with which the prompt failed. */
    readonly error?: ErrorObject;
    /** Key with which the prompt was sent in version 2. Each attempt to send the prompt has the same key. */
    readonly idempotencyKey?: string;
  };
  readonly dropped?: Dropped;
  readonly _meta?: Meta;
  /** Metadata of the first chunk. It may contain the speaker. */
  // V2-UPD-05
  readonly chunkMeta?: Meta;
  readonly at?: number;
};

/** Tool call in its current state. */
export type ToolCallEntry = {
  readonly type: "tool_call";
  readonly key: string;
  readonly toolCallId: string;
  readonly name?: string;
  readonly title?: string;
  readonly kind: ToolKind;
  /** Status of the call. It is also `cancelled` if only this side has cancelled it; see `cancelledLocally`. */
  readonly status: ToolCallStatus;
  /** Present if this side has cancelled the unfinished call. `reported` is the last status from the agent. */
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

/** Notice of the agent. Notices do not belong to the conversation. */
export type NoticeEntry = {
  readonly type: "notice";
  readonly key: string;
  readonly severity: "info" | "warning" | "error" | UnknownTag;
  readonly title: string;
  readonly description?: string;
  readonly _meta?: Meta;
  readonly at?: number;
};

/** Compaction of the agent's context. Earlier entries stay in the timeline. */
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

/** Message between two sessions. Unstable, and in version 2 only. */
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

/** First entry of a trimmed timeline. It counts the entries that were dropped to stay within `limits.stateBytes`. */
export type TrimmedEntry = {
  readonly type: "trimmed";
  readonly key: "trimmed";
  readonly messages: number;
  readonly toolCalls: number;
  readonly others: number;
  readonly bytes: number;
};

/** Item of the timeline, which is in the order of arrival. An unchanged entry is the same object in later states. */
export type Entry =
  | MessageEntry
  | ToolCallEntry
  | NoticeEntry
  | CompactionEntry
  | SessionMessageEntry
  | UnknownEntry
  | TrimmedEntry;
