import { messageId } from "../both/identifiers.js";
import { type Infer, lenient, nullable, object, type Schema, sifted } from "../vocabulary.js";
import { contentBlock } from "./content.js";

const message_ = object({
  /** Id of the message. An update with a new id creates a message. */
  messageId,
  /**
   * Complete new content. It replaces the previous content and chunks. `null` clears the content, and an absent or
   * malformed value changes nothing.
   */
  content: lenient(nullable(sifted(contentBlock))),
});

// V2-UPD-10, V2-UPD-04
/** New or changed message of the user. `_meta` is merged by key. */
export interface UserMessage extends Infer<typeof message_> {}
/** Validates a {@link UserMessage}. */
export const userMessage: Schema<UserMessage> = message_;

/** New or changed message of the agent. The rules are those of {@link UserMessage}. */
export interface AgentMessage extends Infer<typeof message_> {}
/** Validates an {@link AgentMessage}. */
export const agentMessage: Schema<AgentMessage> = message_;

/** New or changed thought of the agent. The rules are those of {@link UserMessage}. */
export interface AgentThought extends Infer<typeof message_> {}
/** Validates an {@link AgentThought}. */
export const agentThought: Schema<AgentThought> = message_;

const contentChunk_ = object({
  /** Id of the message. A chunk with a new id creates a message. */
  messageId,
  /** Block that is added to the content. */
  content: contentBlock,
});
// V2-UPD-10, V2-UPD-11
/** Addition to the content of a message. */
export interface ContentChunk extends Infer<typeof contentChunk_> {}
/** Validates a {@link ContentChunk}. */
export const contentChunk: Schema<ContentChunk> = contentChunk_;
