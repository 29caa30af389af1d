import type { ContentBlock } from "../../content.js";
import type { Entry } from "../../entry.js";
import type { MessageUpsert } from "../../event.js";
import { same } from "../../patch.js";
import { compact } from "../read.js";
import type { Sending } from "./encode.js";

/**
 * Messages of which the peer got something, by role and id, with the id they go by on the wire. Version 1 cannot take
 * back what was sent, so a message that was rewritten goes on under a new id.
 */
export type SentMessages = { readonly [R in Role]: Map<string, string> };

type Role = "user" | "agent" | "thought";
type ChunkType = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

const chunkOf = {
  user_message: "user_message_chunk",
  agent_message: "agent_message_chunk",
  agent_thought: "agent_thought_chunk",
} as const;

const roleOf: { readonly [T in ChunkType]: Role } = {
  user_message_chunk: "user",
  agent_message_chunk: "agent",
  agent_thought_chunk: "thought",
};

/** The id under which a chunk of a message is sent; the message counts as sent from then on. */
export function wireMessageId(type: ChunkType, messageId: string, messages: SentMessages): string {
  const sent = messages[roleOf[type]];
  const known = sent.get(messageId);
  if (known !== undefined) return known;
  sent.set(messageId, messageId);
  return messageId;
}

/** A whole message: one chunk for each block that the peer does not have yet. */
export function encodeMessage(
  event: MessageUpsert,
  before: Entry | undefined,
  { messages, lost }: Sending,
): readonly object[] {
  const { messageId, content, _meta } = event;
  const type = chunkOf[event.type];
  const known = messages[roleOf[type]].get(messageId);
  if (_meta !== undefined) lost("message-metadata", messageId);
  if (content === undefined) {
    if (_meta === undefined && known === undefined) lost("message-metadata", messageId);
    return [];
  }
  const blocks = content ?? [];
  if (known === undefined) {
    if (blocks.length === 0) lost("message-metadata", messageId);
    return chunks(type, wireIdFor(blocks, messageId, messages[roleOf[type]]), blocks);
  }
  const sent = before?.type === "message" ? before.content.toArray() : [];
  if (blocks.length >= sent.length && sent.every((block, index) => same(block, blocks[index]))) {
    return chunks(type, known, blocks.slice(sent.length));
  }
  lost("message-rewrite", messageId);
  const next = `${known}~`;
  messages[roleOf[type]].set(messageId, next);
  return chunks(type, next, blocks, { "turnkit.supersedes": known });
}

function wireIdFor(blocks: readonly ContentBlock[], messageId: string, sent: Map<string, string>): string {
  if (blocks.length > 0) sent.set(messageId, messageId);
  return messageId;
}

function chunks(type: ChunkType, messageId: string, blocks: readonly ContentBlock[], meta?: object): object[] {
  return blocks.map((content, index) =>
    compact({ sessionUpdate: type, messageId, content, _meta: index === 0 ? meta : undefined }),
  );
}
