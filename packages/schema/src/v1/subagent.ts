import { messageId, sessionId } from "../both/identifiers.js";
import { subagentSessionCapabilities } from "../both/subagent.js";
import { type Infer, lenient, list, nullable, object, optional, type Schema, sifted, string } from "../vocabulary.js";
import { contentBlock } from "./content.js";
import { stateUpdate } from "./state.js";

const nothing_ = object({});
// P-SUB1-01
/** Marker: the client shows child sessions. It counts when present and not null. */
export interface SubagentCapabilities extends Infer<typeof nothing_> {}
/** Validates {@link SubagentCapabilities}. */
export const subagentCapabilities: Schema<SubagentCapabilities> = nothing_;

const subagentUpdate_ = object({
  /** The child. */
  sessionId,
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Purpose, for people. */
  description: lenient(nullable(string())),
  /** Commands that the client may send to it. */
  capabilities: lenient(nullable(subagentSessionCapabilities)),
  /** Current activity. Null means unknown, not idle. */
  state: lenient(nullable(stateUpdate)),
  /** Directory. If it is unset, the parent's directory applies. A malformed one makes the update invalid. */
  cwd: optional(nullable(string())),
  /** Further roots. If they are unset, the parent's roots apply. A malformed list makes the update invalid. */
  additionalDirectories: optional(nullable(list(string()))),
});
// V1-UNST-10, P-SUB1-04
/** Creation or change of a child session, for clients with `subagents`. Null clears a member, absent leaves it. */
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
  /** Complete new content; malformed blocks are dropped. */
  content: lenient(nullable(sifted(contentBlock))),
});
/** Creation or change of a message between sessions. Null clears a member, absent or malformed leaves it. */
export interface SessionMessage extends Infer<typeof sessionMessage_> {}
/** Validates a {@link SessionMessage}. */
export const sessionMessage: Schema<SessionMessage> = sessionMessage_;

const sessionMessageChunk_ = object({
  /** The message. */
  messageId,
  /** The block to append to its content. */
  content: contentBlock,
});
/** Addition to the content of a message between sessions. */
export interface SessionMessageChunk extends Infer<typeof sessionMessageChunk_> {}
/** Validates a {@link SessionMessageChunk}. */
export const sessionMessageChunk: Schema<SessionMessageChunk> = sessionMessageChunk_;
