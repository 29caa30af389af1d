import { messageId, sessionId } from "../both/identifiers.js";
import { subagentSessionCapabilities } from "../both/subagent.js";
import { type Infer, lenient, list, nullable, object, optional, type Schema, sifted, string } from "../vocabulary.js";
import { absolutePath } from "./absolute-path.js";
import { contentBlock } from "./content.js";
import { stateUpdate } from "./state.js";

const subagentUpdate_ = object({
  /** Id of the child session. */
  sessionId,
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Purpose, for people. */
  description: lenient(nullable(string())),
  /** Requests that the client may send to the child session. */
  capabilities: lenient(nullable(subagentSessionCapabilities)),
  /** Current activity. `null` means that the activity is unknown. It does not mean idle. */
  state: lenient(nullable(stateUpdate)),
  /** Directory. If it is not set, the parent's directory applies. A malformed value makes the update invalid. */
  cwd: optional(nullable(absolutePath)),
  /** Further roots. If they are not set, the parent's roots apply. A malformed list makes the update invalid. */
  additionalDirectories: optional(nullable(list(absolutePath))),
});
// V2-UPD-26, V2-UPD-27, P-SUB-05, P-SUB-06
/**
 * New or changed child session. The update is sent in the parent session. `null` clears a member, and an absent member
 * is not changed. `_meta` is merged by key.
 */
export interface SubagentUpdate extends Infer<typeof subagentUpdate_> {}
/** Validates a {@link SubagentUpdate}. */
export const subagentUpdate: Schema<SubagentUpdate> = subagentUpdate_;

const sessionMessage_ = object({
  /** Id of the message in this session's transcript. */
  messageId,
  /** Session that sent the message. */
  senderSessionId: lenient(nullable(sessionId)),
  /** Session that receives the message. */
  recipientSessionId: lenient(nullable(sessionId)),
  /** Id of the same message in the sender's transcript. */
  senderMessageId: lenient(nullable(messageId)),
  /** Id of the same message in the recipient's transcript. */
  recipientMessageId: lenient(nullable(messageId)),
  /** Complete new content. Malformed blocks are dropped. */
  content: lenient(nullable(sifted(contentBlock))),
});
// V2-UPD-28, P-SUB-16
/**
 * New or changed message between sessions. `null` clears a member, and an absent or malformed member is not changed.
 * `_meta` is merged by key.
 */
export interface SessionMessage extends Infer<typeof sessionMessage_> {}
/** Validates a {@link SessionMessage}. */
export const sessionMessage: Schema<SessionMessage> = sessionMessage_;

const sessionMessageChunk_ = object({
  /** Id of the message. */
  messageId,
  /** Block that is added to the content. */
  content: contentBlock,
});
/** Addition to the content of a message between sessions. */
export interface SessionMessageChunk extends Infer<typeof sessionMessageChunk_> {}
/** Validates a {@link SessionMessageChunk}. */
export const sessionMessageChunk: Schema<SessionMessageChunk> = sessionMessageChunk_;
