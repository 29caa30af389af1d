import { sessionId } from "../../both/session-id.js";
import {
  type Infer,
  lenient,
  list,
  nullable,
  object,
  optional,
  type Schema,
  sifted,
  string,
} from "../../vocabulary.js";
import { absolutePath } from "../absolute-path.js";
import { contentBlock } from "../content.js";
import { messageId } from "../message.js";
import { stateUpdate } from "./state.js";

const nothing_ = object({});
/** Present and not null: `session/cancel` may name the child. */
export interface SessionCancelCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link SessionCancelCapabilities}. */
export const sessionCancelCapabilities: Schema<SessionCancelCapabilities> = nothing_;

const subagentSessionCapabilities_ = object({
  /** It can be cancelled. */
  cancel: lenient(nullable(sessionCancelCapabilities)),
});
/** Commands that the client may send to a child session. */
export interface SubagentSessionCapabilities extends Infer<typeof subagentSessionCapabilities_> {}
/** Validates {@link SubagentSessionCapabilities}. */
export const subagentSessionCapabilities: Schema<SubagentSessionCapabilities> = subagentSessionCapabilities_;

const subagentUpdate_ = object({
  /** The child. */
  sessionId,
  /** Its title, for people. */
  title: lenient(nullable(string())),
  /** Purpose, for people. */
  description: lenient(nullable(string())),
  /** Commands that the client may send to it. */
  capabilities: lenient(nullable(subagentSessionCapabilities)),
  /** Current activity. Null means unknown, not idle. */
  state: lenient(nullable(stateUpdate)),
  /** Its directory, while unset the parent's; malformed makes the update invalid. */
  cwd: optional(nullable(absolutePath)),
  /** Its further roots, while unset the parent's; malformed makes the update invalid. */
  additionalDirectories: optional(nullable(list(absolutePath))),
});
// V2-UPD-26, V2-UPD-27
/**
 * A child session is there or changes, told on its parent: null clears, what is absent stays. `_meta` patches what is
 * known of this child, key by key.
 */
export interface SubagentUpdate extends Infer<typeof subagentUpdate_> {}
/** Validates a {@link SubagentUpdate}. */
export const subagentUpdate: Schema<SubagentUpdate> = subagentUpdate_;

const sessionMessage_ = object({
  /** The message, as this session's transcript names it. */
  messageId,
  /** Session that sent the message. */
  senderSessionId: lenient(nullable(sessionId)),
  /** Whom it is for. */
  recipientSessionId: lenient(nullable(sessionId)),
  /** The same message in the sender's transcript. */
  senderMessageId: lenient(nullable(messageId)),
  /** The same message in the recipient's transcript. */
  recipientMessageId: lenient(nullable(messageId)),
  /** All content from now on; malformed blocks are dropped. */
  content: lenient(nullable(sifted(contentBlock))),
});
// V2-UPD-28
/**
 * A message between sessions is there or changes: null clears, what is absent or malformed stays. `_meta` patches what
 * is known of this message, key by key.
 */
export interface SessionMessage extends Infer<typeof sessionMessage_> {}
/** Validates a {@link SessionMessage}. */
export const sessionMessage: Schema<SessionMessage> = sessionMessage_;

const sessionMessageChunk_ = object({
  /** The message. */
  messageId,
  /** The block to append to its content. */
  content: contentBlock,
});
/** One more block of a message between sessions. */
export interface SessionMessageChunk extends Infer<typeof sessionMessageChunk_> {}
/** Validates a {@link SessionMessageChunk}. */
export const sessionMessageChunk: Schema<SessionMessageChunk> = sessionMessageChunk_;
